// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.scheduling.Backoff;
import dev.windlass.testing.reconciler.CrashAtEveryWrite;
import dev.windlass.testing.reconciler.ReconcilerTest;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The section about jobs in {@code docs/guides/external-events.md}. */
final class ExternalJobsGuideTest {

  /** A backup, which a service outside the cluster makes. */
  @Group("guides.windlass.dev")
  @Version("v1")
  @SuppressWarnings("serial") // nobody serializes it
  public static final class Backup extends CustomResource<BackupSpec, BackupStatus>
      implements Namespaced {
    @Override
    protected BackupSpec initSpec() {
      return new BackupSpec();
    }

    @Override
    protected BackupStatus initStatus() {
      return new BackupStatus();
    }
  }

  /** What is backed up. */
  public static final class BackupSpec {
    private String database = "";

    /** The name of the database. */
    public String getDatabase() {
      return database;
    }

    /** Sets the name of the database. */
    public void setDatabase(String database) {
      this.database = database;
    }
  }

  // sample: status
  public static final class BackupStatus {
    private long generation; // of the spec to which the other fields apply
    private int failures; // the number of jobs that have failed
    private String notBefore = Instant.EPOCH.toString(); // the earliest start of the next job
    private boolean complete;

    // end

    /** The generation. */
    public long getGeneration() {
      return generation;
    }

    /** Sets the generation. */
    public void setGeneration(long generation) {
      this.generation = generation;
    }

    /** The number of failures. */
    public int getFailures() {
      return failures;
    }

    /** Sets the number of failures. */
    public void setFailures(int failures) {
      this.failures = failures;
    }

    /** The earliest start of the next job. */
    public String getNotBefore() {
      return notBefore;
    }

    /** Sets the earliest start of the next job. */
    public void setNotBefore(String notBefore) {
      this.notBefore = notBefore;
    }

    /** Whether a job has succeeded. */
    public boolean isComplete() {
      return complete;
    }

    /** Sets whether a job has succeeded. */
    public void setComplete(boolean complete) {
      this.complete = complete;
    }
  }

  // sample: service
  /** The other system, as the reconciler sees it. */
  interface Jobs {
    enum State {
      RUNNING,
      FAILED,
      SUCCEEDED
    }

    /** Starts a job, unless it has been started before, and returns its state. */
    State startIfAbsent(String job, String database);
  }

  // end

  private record BackupReconciler(Jobs jobs, Clock clock) {

    // sample: reconcile
    private static final Duration POLL = Duration.ofSeconds(10);
    private static final Backoff BACKOFF =
        Backoff.exponential(Duration.ofSeconds(30), Duration.ofHours(1));

    Result reconcile(Backup backup, ReconcileContext context) {
      long generation = backup.getMetadata().getGeneration();
      if (backup.getStatus().getGeneration() != generation) {
        backup.setStatus(new BackupStatus()); // the failures belong to the previous spec
        backup.getStatus().setGeneration(generation);
      }
      BackupStatus status = backup.getStatus();
      if (status.isComplete()) {
        return Result.done();
      }
      Duration wait = Duration.between(clock.instant(), Instant.parse(status.getNotBefore()));
      if (wait.compareTo(Duration.ZERO) > 0) {
        return Result.requeueAfter(wait);
      }
      // Each run computes the same name, so it never starts a second job.
      String job =
          "%s-%d-%d".formatted(backup.getMetadata().getUid(), generation, status.getFailures());
      switch (jobs.startIfAbsent(job, backup.getSpec().getDatabase())) {
        case RUNNING:
          return Result.requeueAfter(POLL);
        case FAILED:
          Duration delay = BACKOFF.delay(status.getFailures());
          status.setFailures(status.getFailures() + 1);
          status.setNotBefore(clock.instant().plus(delay).toString());
          context.client().updateStatus(backup);
          return Result.requeueAfter(delay);
        default:
          status.setComplete(true);
          context.client().updateStatus(backup);
          return Result.done();
      }
    }
    // end
  }

  // sample: fake
  /** Jobs that run for 25 s of virtual time. The first two fail. */
  private static final class FakeJobs implements Jobs {
    private final Map<String, Instant> started = new LinkedHashMap<>();
    private final Clock clock;

    FakeJobs(Clock clock) {
      this.clock = clock;
    }

    @Override
    public State startIfAbsent(String job, String database) {
      Instant start = started.computeIfAbsent(job, absent -> clock.instant());
      if (clock.instant().isBefore(start.plusSeconds(25))) {
        return State.RUNNING;
      }
      int number = List.copyOf(started.keySet()).indexOf(job);
      return number < 2 ? State.FAILED : State.SUCCEEDED;
    }
  }

  // end

  private static Backup backup() {
    Backup backup = new Backup();
    backup.setMetadata(new ObjectMetaBuilder().withNamespace("default").withName("b").build());
    backup.getSpec().setDatabase("orders");
    return backup;
  }

  /** The service survives the crashes of the operator, so it is the same for all processes. */
  private Jobs jobs = (job, database) -> Jobs.State.RUNNING;

  private void register(Manager manager) {
    ControllerBuilder.forType(Backup.class)
        .objectReconciler(new BackupReconciler(jobs, manager.clock())::reconcile)
        .register(manager);
  }

  @Test
  void startsAFailedJobAgainWithBackOff() {
    // sample: test
    try (ReconcilerTest test = ReconcilerTest.of(this::register).install(Backup.class)) {
      FakeJobs fake = new FakeJobs(test.clock());
      jobs = fake;
      Instant begin = test.clock().instant();
      test.create(backup());
      test.assertEventuallyStable();
      assertThat(fake.started.values())
          .extracting(start -> Duration.between(begin, start).toSeconds())
          .containsExactly(0L, 60L, 150L); // noticed after 30 s, then a delay of 30 s and 60 s
    }
    // end
  }

  @CrashAtEveryWrite
  void neverStartsAJobTwice() {
    try (ReconcilerTest test = ReconcilerTest.of(this::register).install(Backup.class)) {
      FakeJobs fake = new FakeJobs(test.clock());
      jobs = fake;
      test.create(backup());
      test.assertEventuallyStable();
      assertThat(fake.started).hasSize(3);
      assertThat(test.get(Backup.class, "default", "b").orElseThrow().getStatus().getFailures())
          .isEqualTo(2);
    }
  }

  @Test
  void startsAnewForANewSpec() {
    try (ReconcilerTest test = ReconcilerTest.of(this::register).install(Backup.class)) {
      FakeJobs fake = new FakeJobs(test.clock());
      jobs = fake;
      test.create(backup());
      test.assertEventuallyStable();
      test.edit(Backup.class, "default", "b", found -> found.getSpec().setDatabase("users"));
      test.assertEventuallyStable();
      assertThat(fake.started).hasSize(4);
      assertThat(test.get(Backup.class, "default", "b").orElseThrow().getStatus().getFailures())
          .isZero();
    }
  }
}
