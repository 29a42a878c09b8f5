// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.RunningReconcile;
import dev.windlass.controller.running.ControllerConfig;
import dev.windlass.controller.running.ControllerOptions;
import dev.windlass.controller.sources.SourceRunner;
import dev.windlass.controller.sources.StartedSources;
import dev.windlass.diagnosis.ControllerDiagnosis;
import dev.windlass.diagnosis.Diagnosed;
import dev.windlass.health.Monitored;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Phase;
import dev.windlass.rbac.PermissionSource;
import dev.windlass.rbac.Permissions;
import dev.windlass.time.Scheduler;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs one reconciler: starts its sources, and passes requests from the work queue to it.
 *
 * <ul>
 *   <li>Sources start in parallel. A source that can't start or sync, for example because its CRD
 *       or the right to list is missing, is retried until it succeeds. {@link #problem()} names it,
 *       and so does one warning after {@link ControllerOptions#syncTimeout()}.
 *   <li>No reconcile starts before every source that was present at the start has synced and its
 *       handlers have seen the initial list. Sources added later do not delay reconciliation.
 *   <li>{@link ControllerOptions#maxConcurrentReconciles()} workers take requests from the queue,
 *       each one at a time; a request is never processed by two workers at once. Nothing that a
 *       reconcile does or throws ends a worker.
 *   <li>A reconcile that exceeds its time-out is cancelled and its thread interrupted. Until it
 *       returns, its object is not reconciled again. A new worker replaces its worker; the number
 *       of replaced workers never exceeds the number of workers.
 *   <li>A stop cancels running reconciles and waits for them; their time-outs still apply. It
 *       interrupts those still running 2 s before its own limit. Requests waiting in the queue are
 *       dropped; the next start sees every object anyway.
 * </ul>
 *
 * <p>Created by {@link ControllerBuilder}. Thread safe. A stopped controller may be started again.
 */
public final class Controller implements ManagedComponent, Monitored, Diagnosed, PermissionSource {

  private final ControllerConfig config;
  private final MetricsListener metrics;
  private final Supplier<Permissions> rights;
  private final Object lock = new Object();

  /**
   * Held while a run and its meters start and while the meters are removed, so that the end of one
   * run does not remove the meters of the next. Acquired before {@link #lock}.
   */
  private final Object meters = new Object();

  @GuardedBy("lock")
  private @Nullable ControllerRun run;

  /** Sources added at runtime, with their runners while the controller runs. */
  @GuardedBy("lock")
  private final Map<Handle, @Nullable SourceRunner> added = new HashMap<>();

  /** Earlier runs that have not fully ended, usually because reconciles still hold their keys. */
  @GuardedBy("lock")
  private final List<ControllerRun> outlasting = new ArrayList<>();

  private final ControllerHealth health;
  private final StartedSources startedSources = new StartedSources();

  /** Whether the controller has ever run. */
  @GuardedBy("lock")
  private boolean ran;

  Controller(ControllerConfig config, MetricsListener metrics, Supplier<Permissions> rights) {
    this.config = config;
    this.metrics = metrics;
    this.rights = rights;
    this.health = new ControllerHealth(config);
  }

  /** Returns the name of this controller in logs, metrics and threads. */
  public String name() {
    return config.name();
  }

  @Override
  public Phase phase() {
    return config.leading().phase();
  }

  /**
   * Fills the caches of the sources on a replica that does not lead yet; the queue stays empty
   * until {@link #start()}. Requests that such a replica could not compute again, such as messages
   * of an {@link dev.windlass.controller.enqueue.EventChannel}, are kept until then, one for each
   * object. Has no effect if the caches are already being filled or the controller runs, or if the
   * builder disabled the warm-up.
   */
  @Override
  public void warmUp() {
    if (!config.leading().warmUp()) {
      return;
    }
    measured(
        () -> {
          synchronized (lock) {
            if (run == null) {
              begin(true);
            }
          }
        });
  }

  /** Registers the meters, and removes them if no run has started. */
  private void measured(Runnable beginning) {
    synchronized (meters) {
      boolean begun = false;
      try {
        metrics.open(this);
        beginning.run();
        begun = true;
      } finally {
        if (!begun && current() == null) {
          metrics.close();
        }
      }
    }
  }

  @Override
  public void start() {
    measured(
        () -> {
          synchronized (lock) {
            ControllerRun warm = run;
            if (warm != null && warm.isReleased()) {
              throw new IllegalStateException("controller " + name() + " is already running");
            }
            (warm == null ? begin(false) : warm).release();
          }
        });
  }

  @GuardedBy("lock")
  private ControllerRun begin(boolean standby) {
    ControllerRun beginning = new ControllerRun(config, this::someOutlast, startedSources, ran);
    boolean begun = false;
    try {
      beginning.begin(config.sources(), standby);
      added.replaceAll((handle, none) -> beginning.add(handle.source));
      begun = true;
    } finally {
      if (!begun) {
        beginning.abandon();
      }
    }
    run = beginning;
    ran = true;
    return beginning;
  }

  /**
   * {@inheritDoc} No further reconcile starts. Running ones are cancelled, and interrupted 2 s
   * before the limit.
   */
  @Override
  public void cancel(Duration limit) {
    ControllerRun current = current();
    if (current != null) {
      current.cancel(limit);
    }
  }

  /**
   * {@inheritDoc} A repeated stop also waits for everything that outlasted the previous one.
   *
   * @return whether all runs have ended completely
   */
  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    ControllerRun ending;
    List<ControllerRun> before;
    synchronized (lock) {
      ending = run;
      before = List.copyOf(outlasting);
    }
    long deadline = config.scheduler().nanoTime() + Scheduler.saturatedNanos(limit);
    boolean ended = ending == null || end(ending, limit);
    for (ControllerRun earlier : before) {
      ended &= earlier.end(Duration.ofNanos(deadline - config.scheduler().nanoTime()));
    }
    return ended;
  }

  private boolean end(ControllerRun ending, Duration limit) throws InterruptedException {
    try {
      return ending.end(limit);
    } finally { // even if the waiting thread is interrupted: this run is over
      synchronized (lock) {
        if (run == ending) {
          outlasting.add(ending);
          outlasting.removeIf(earlier -> !earlier.outlasts());
          added.replaceAll((handle, runner) -> null);
          run = null;
        }
      }
      synchronized (meters) {
        if (current() == null) { // otherwise another run has started and uses the meters
          metrics.close();
        }
      }
    }
  }

  /**
   * Adds a source. The source starts at once if the controller is running, and otherwise when the
   * controller starts. It does not delay reconciliation, and remains until its handle is closed,
   * even if the controller is stopped and started again.
   *
   * @throws IllegalArgumentException if the controller already has the source
   */
  public WatchHandle watch(Source source) {
    Handle handle = new Handle(source);
    synchronized (lock) {
      if (Stream.concat(config.sources().stream(), added.keySet().stream().map(h -> h.source))
          .anyMatch(there -> there == source)) {
        throw new IllegalArgumentException(
            this
                + " already watches "
                + source
                + ": close the handle of the other watch first, or create another source");
      }
      added.put(handle, run == null ? null : run.add(source));
    }
    return handle;
  }

  private final class Handle implements WatchHandle {
    private final Source source;

    Handle(Source source) {
      this.source = source;
    }

    private @Nullable SourceRunner runner() {
      synchronized (lock) {
        return added.get(this);
      }
    }

    @Override
    public boolean hasSynced() {
      SourceRunner runner = runner();
      return runner != null && runner.hasSynced();
    }

    @Override
    public Optional<String> problem() {
      SourceRunner runner = runner();
      return runner == null ? Optional.empty() : runner.problem();
    }

    @Override
    public void close() {
      ControllerRun current;
      SourceRunner runner;
      synchronized (lock) {
        current = run;
        runner = added.remove(this);
      }
      if (runner != null && current != null) {
        current.remove(runner);
      }
    }
  }

  private @Nullable ControllerRun current() {
    synchronized (lock) {
      return run;
    }
  }

  /** Returns whether the workers are running; they start once every source has synced. */
  public boolean isReady() {
    ControllerRun current = current();
    return current != null && current.isReady();
  }

  /** Returns whether every source that was present at the start has synced. */
  public boolean hasSynced() {
    ControllerRun current = current();
    return current != null && current.hasSynced();
  }

  /** Returns how many requests are ready and wait for a worker. */
  public int queueLength() {
    ControllerRun current = current();
    return current == null ? 0 : current.state().queue().length();
  }

  /** Returns how many requests wait for a delay or back-off to end. */
  int delayed() {
    ControllerRun current = current();
    return current == null ? 0 : current.state().queue().delayed();
  }

  /** Returns how long the oldest ready request has been waiting. */
  Duration longestWait() {
    ControllerRun current = current();
    return current == null ? Duration.ZERO : current.state().queue().longestWait();
  }

  /**
   * Returns how many requests are ready at each priority, most urgent first: {@code
   * workqueue_depth}. Empty while the controller does not run.
   */
  public Map<Priority, Integer> queueLengths() {
    ControllerRun current = current();
    return current == null ? Map.of() : current.state().queue().lengths();
  }

  /**
   * Returns how many objects may be reconciled at the same time: {@code
   * controller_runtime_max_concurrent_reconciles}.
   */
  public int maxConcurrentReconciles() {
    return config.options().maxConcurrentReconciles();
  }

  /**
   * Returns a snapshot of the running reconciles. Their number is {@code
   * controller_runtime_active_workers}, the sum of their run times {@code
   * workqueue_unfinished_work_seconds}, and the longest run time {@code
   * workqueue_longest_running_processor_seconds}.
   */
  public List<RunningReconcile> running() {
    ControllerRun current = current();
    return current == null
        ? List.of()
        : current.state().watchdog().active().stream()
            .map(
                a ->
                    new RunningReconcile(
                        a.request(), a.reconcileId(), a.elapsed(), a.timedOut(), a.stuck()))
            .toList();
  }

  /**
   * Returns the problems that keep sources from syncing or being up to date, and the stuck
   * reconciles; empty if there are none.
   */
  public Optional<String> problem() {
    ControllerRun current = current();
    return current == null ? Optional.empty() : current.problem();
  }

  /** Returns {@code controller-} and the name. */
  @Override
  public String checkName() {
    String plain = name().replaceAll("[^-A-Za-z0-9_.]", "-"); // characters allowed in a path
    return "controller-" + plain.substring(0, Math.min(plain.length(), 100));
  }

  /**
   * {@inheritDoc} Reports dead workers, or that reconciles past their time-out hold all workers.
   */
  @Override
  public Optional<String> liveness(Duration wedgedAfter) {
    ControllerRun current = current();
    return current == null ? Optional.empty() : health.liveness(current, wedgedAfter);
  }

  /** {@inheritDoc} Reports sources that have not synced, or have had a problem for 30 s. */
  @Override
  public Optional<String> readiness() {
    ControllerRun current = current();
    return current == null ? Optional.empty() : health.readiness(current);
  }

  @Override
  public Permissions rights() {
    return rights.get();
  }

  @Override
  public ControllerDiagnosis diagnosis() {
    return ControllerDiagnosisCollector.of(config, current());
  }

  @Override
  public List<String> watched() {
    return config.sources().stream()
        .map(s -> s instanceof InformerSource<?> source ? source.watched() : String.valueOf(s))
        .toList();
  }

  private boolean someOutlast() {
    synchronized (lock) {
      outlasting.removeIf(earlier -> !earlier.outlasts());
      return outlasting.stream().anyMatch(ControllerRun::holdsKeys);
    }
  }

  @Override
  public String toString() {
    return "controller " + name();
  }
}
