// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static java.util.Comparator.comparing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.DeleteParams;
import dev.windlass.client.DeleteParams.Propagation;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.client.owned.Prune;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.reconciler.CrashAtEveryWrite;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatusBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The code of {@code docs/guides/jobs.md}. */
final class JobsGuideTest {

  // sample: job
  private static final String GENERATION = "example.com/generation";

  Job job(Widget widget) {
    return new JobBuilder()
        .withNewMetadata()
        .withNamespace(widget.getMetadata().getNamespace())
        .withName(Owned.childName(widget, "run")) // one name, so there is at most one Job
        .addToAnnotations(GENERATION, Long.toString(widget.getMetadata().getGeneration()))
        .endMetadata()
        .withNewSpec()
        .withBackoffLimit(2)
        .withNewTemplate()
        .withNewSpec()
        .withRestartPolicy("Never")
        .addNewContainer()
        .withName("run")
        .withImage("example.com/run:" + widget.getSpec().getSize())
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  // end

  // sample: reconcile
  Result reconcile(Widget widget, ReconcileContext context) {
    Job wanted = job(widget);
    Optional<Job> found = context.secondary(Job.class); // the one that widget controls
    if (found.isEmpty()) {
      OwnerReferences.setController(wanted, widget);
      context.client().create(wanted);
    } else if (isFinished(found.get()) && !isSameRun(found.get(), wanted)) {
      // The name becomes free when the Job's last Pod has ended.
      context
          .client()
          .delete(
              Job.class,
              ObjectKey.of(found.get()),
              DeleteParams.exactly(found.get()).withPropagation(Propagation.FOREGROUND));
    }
    return Result.done(); // each change of the Job, also its end, triggers a reconcile
  }

  static boolean isFinished(Job job) {
    return job.getStatus() != null
        && job.getStatus().getConditions().stream()
            .filter(condition -> condition.getStatus().equals("True"))
            .anyMatch(
                condition ->
                    condition.getType().equals("Complete") || condition.getType().equals("Failed"));
  }

  static boolean isSameRun(Job job, Job other) {
    return Objects.equals(generation(job), generation(other));
  }

  private static @Nullable String generation(Job job) {
    Map<String, String> annotations = job.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(GENERATION);
  }

  // end

  // sample: prune
  void keepThree(Widget widget, ReconcileContext context) {
    List<Job> kept = new ArrayList<>();
    List<Job> finished = new ArrayList<>();
    for (Job job : context.secondaries(Job.class)) {
      (isFinished(job) ? finished : kept).add(job);
    }
    finished.sort(comparing((Job job) -> job.getMetadata().getCreationTimestamp()).reversed());
    kept.addAll(finished.subList(0, Math.min(finished.size(), 3)));
    Prune.prune(context.client(), widget, Job.class, kept);
  }

  // end

  private static ReconcilerTest with(ObjectReconciler<Widget> reconciler) {
    return ReconcilerTest.of(
            manager ->
                ControllerBuilder.forType(Widget.class)
                    .owns(Job.class)
                    .objectReconciler(reconciler)
                    .register(manager))
        .install(Widget.definition());
  }

  // sample: completed
  private static Job completed(Job job) {
    return new JobBuilder(job)
        .withStatus(
            new JobStatusBuilder()
                .addNewCondition()
                .withType("Complete")
                .withStatus("True")
                .endCondition()
                .build())
        .build();
  }

  // end

  private static String image(ReconcilerTest test) {
    Job job = test.get(Job.class, "default", "w-run").orElseThrow();
    return job.getSpec().getTemplate().getSpec().getContainers().get(0).getImage();
  }

  // sample: test
  @CrashAtEveryWrite
  void startsTheNextJobWhenTheLastOneHasEnded() {
    try (ReconcilerTest test = with(this::reconcile)) {
      test.whenCreated(
          Job.class, Duration.ofMinutes(5), job -> job.editStatus(JobsGuideTest::completed));
      test.create(Widget.of("default", "w"));
      test.advance(Duration.ofMinutes(1));
      test.edit(Widget.class, "default", "w", widget -> widget.getSpec().setSize(2));
      test.advance(Duration.ofMinutes(3));
      assertThat(image(test)).as("the first Job runs").isEqualTo("example.com/run:1");
      test.assertEventuallyStable();
      assertThat(image(test)).isEqualTo("example.com/run:2");
      assertThat(isFinished(test.get(Job.class, "default", "w-run").orElseThrow())).isTrue();
    }
  }

  // end

  @Test
  void keepsThreeFinishedJobsAndThoseThatRun() {
    try (ReconcilerTest test =
        with(
            (widget, context) -> {
              keepThree(widget, context);
              return Result.done();
            })) {
      Widget widget = test.create(Widget.of("default", "w"));
      for (int i = 0; i < 6; i++) {
        Job job = job(widget);
        job.getMetadata().setName("w-" + i);
        OwnerReferences.setController(job, widget);
        test.create(job);
        if (i > 0) {
          test.kubernetesClient().resource(job).editStatus(JobsGuideTest::completed);
        }
        test.advance(Duration.ofSeconds(1));
      }
      test.assertEventuallyStable();
      assertThat(test.list(Job.class, "default"))
          .extracting(job -> job.getMetadata().getName())
          .containsExactlyInAnyOrder("w-0", "w-3", "w-4", "w-5");
    }
  }
}
