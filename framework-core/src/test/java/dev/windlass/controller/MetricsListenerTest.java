// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static dev.windlass.testing.core.Failures.raise;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.monitoring.MetricsListener;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.controller.running.SourceRunner;
import dev.windlass.testing.core.Samples;
import dev.windlass.testing.core.Scraped;
import dev.windlass.testsupport.Eventually;
import dev.windlass.workqueue.Priority;
import dev.windlass.workqueue.RateLimiter;
import dev.windlass.workqueue.WorkQueueListener;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class MetricsListenerTest extends BuilderHarness {

  private static final String QUEUE = "{controller=\"foo\",name=\"foo\"}";

  private final MeterRegistry registry = manager.meterRegistry();

  private double value(String series) {
    return Scraped.value(registry, series);
  }

  private double result(String result) {
    return value(
        "controller_runtime_reconcile_total{controller=\"foo\",result=\"%s\"}".formatted(result));
  }

  private double of(String metric) {
    return value("controller_runtime_" + metric + "{controller=\"foo\"}");
  }

  private Controller run(Reconciler reconciler, String... objects) {
    for (String object : objects) {
      server("Foo").put(Samples.json("Foo", object));
    }
    Controller controller =
        ofFoo()
            .rateLimiter(RateLimiter.exponential(Duration.ofHours(1), Duration.ofHours(1)))
            .reconciler(reconciler)
            .register(manager);
    startUntilReady(controller);
    return controller;
  }

  private void eventually(String series, double expected) {
    Eventually.that(() -> assertThat(value(series)).as(series).isEqualTo(expected));
  }

  @Test
  void countsReconcilesByHowTheyEnd() {
    run(
        (request, context) -> {
          return switch (request.name()) {
            case "ok" -> Result.done();
            case "again" -> Result.requeueWithBackoff();
            case "later" -> Result.requeueAfter(Duration.ofHours(1));
            case "never" -> throw new TerminalException("never");
            case "panic" -> throw new NullPointerException("a fault");
            case "input" -> throw new IllegalArgumentException("a/b is no name");
            default -> throw new KubernetesClientException("refused");
          };
        },
        "ok",
        "again",
        "later",
        "never",
        "panic",
        "input",
        "fail");
    Eventually.that(() -> assertThat(of("reconcile_time_seconds_count")).isEqualTo(7));
    assertThat(result("success")).isEqualTo(1);
    assertThat(result("requeue")).isEqualTo(1);
    assertThat(result("requeue_after")).isEqualTo(1);
    assertThat(result("error")).isEqualTo(4);
    assertThat(of("reconcile_errors_total")).isEqualTo(4);
    assertThat(of("terminal_reconcile_errors_total")).isEqualTo(1);
    assertThat(of("reconcile_panics_total")).isEqualTo(1);
    assertThat(value("workqueue_adds_total" + QUEUE)).isEqualTo(7);
    eventually("workqueue_work_duration_seconds_count" + QUEUE, 7);
    assertThat(value("workqueue_queue_duration_seconds_count" + QUEUE)).isEqualTo(7);
    assertThat(value("workqueue_retries_total" + QUEUE)).isEqualTo(5);
    assertThat(value("windlass_workqueue_delayed" + QUEUE)).isEqualTo(5);
  }

  @Test
  void showsEverythingAsZeroBeforeAnythingHappens() {
    run((request, context) -> Result.done());
    assertThat(result("success")).isZero();
    assertThat(result("error")).isZero();
    assertThat(result("requeue")).isZero();
    assertThat(result("requeue_after")).isZero();
    assertThat(of("reconcile_errors_total")).isZero();
    assertThat(of("terminal_reconcile_errors_total")).isZero();
    assertThat(of("reconcile_panics_total")).isZero();
    assertThat(of("reconcile_timeouts_total")).isZero();
    assertThat(of("reconcile_time_seconds_count")).isZero();
    assertThat(of("max_concurrent_reconciles")).isEqualTo(1);
    for (String priority : List.of("0", "-100", "other")) {
      assertThat(depth(priority)).as(priority).isZero();
    }
    assertThat(value("windlass_controller_ready{controller=\"foo\"}")).isEqualTo(1);
  }

  private double depth(String priority) {
    return value(
        "workqueue_depth{controller=\"foo\",name=\"foo\",priority=\"%s\"}".formatted(priority));
  }

  @Test
  void showsWhatWaitsAndWhatIsUnderWay() {
    CountDownLatch release = new CountDownLatch(1);
    try {
      run(
          (request, context) -> {
            release.await();
            return Result.done();
          },
          "a",
          "b",
          "c");
      Eventually.that(() -> assertThat(of("active_workers")).isEqualTo(1));
      assertThat(depth("-100")).isEqualTo(2);
      server("Foo").put(Samples.json("Foo", "d"));
      Eventually.that(() -> assertThat(depth("-10")).isEqualTo(1));
      assertThat(depth("other")).isZero();
      double before = value("workqueue_unfinished_work_seconds" + QUEUE);
      time.advance(Duration.ofMillis(2_500));
      assertThat(value("workqueue_unfinished_work_seconds" + QUEUE)).isEqualTo(before + 2.5);
      assertThat(value("workqueue_longest_running_processor_seconds" + QUEUE))
          .isEqualTo(before + 2.5);
      assertThat(value("windlass_workqueue_longest_wait_seconds" + QUEUE))
          .isGreaterThanOrEqualTo(2.5);
    } finally {
      release.countDown();
    }
    Eventually.that(() -> assertThat(result("success")).isEqualTo(4));
    assertThat(of("reconcile_time_seconds_sum")).isGreaterThanOrEqualTo(2.5);
  }

  @Test
  void countsTimeOutsAndStuckReconciles() {
    CountDownLatch release = new CountDownLatch(1);
    try {
      server("Foo").put(Samples.json("Foo", "a"));
      Controller controller =
          ofFoo()
              .reconcileTimeout(Duration.ofSeconds(10))
              .reconciler(
                  (request, context) -> {
                    Eventually.stuckUntil(() -> release.getCount() == 0); // deaf to interrupts
                    return Result.done();
                  })
              .register(manager);
      startUntilReady(controller);
      Eventually.that(
          time,
          Duration.ofSeconds(10),
          () -> assertThat(of("reconcile_timeouts_total")).isEqualTo(1));
      Eventually.that(
          time,
          Duration.ofSeconds(30),
          () ->
              assertThat(value("windlass_controller_stuck_reconciles{controller=\"foo\"}"))
                  .isEqualTo(1));
    } finally {
      release.countDown();
    }
  }

  @Test
  void removesTheMetersOfAControllerThatIsGone() throws Exception {
    Controller controller = run((request, context) -> Result.done(), "a");
    Eventually.that(() -> assertThat(result("success")).isEqualTo(1));
    assertThat(manager.remove(controller)).isTrue();
    assertThat(Scraped.lines(registry)).noneMatch(line -> line.contains("controller=\"foo\""));
    ofFoo().reconciler((request, context) -> Result.done()).register(manager);
    Eventually.that(time, SourceRunner.SYNC_POLL, () -> assertThat(result("success")).isEqualTo(1));
  }

  @Test
  void keepsTheMetersOfTheControllerThatHasTheName() {
    run((request, context) -> Result.done(), "a");
    Eventually.that(() -> assertThat(result("success")).isEqualTo(1));
    try {
      ofFoo().reconciler((request, context) -> Result.done()).register(manager);
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("the controller foo");
    }
    server("Foo").put(Samples.json("Foo", "b"));
    Eventually.that(() -> assertThat(result("success")).isEqualTo(2));
  }

  /** Everyday business is counted apart, and is no panic. */
  @Test
  void tellsConflictsFromFaults() {
    run((request, context) -> raise(conflict()), "a");
    Eventually.that(() -> assertThat(of("reconcile_errors_total")).isGreaterThanOrEqualTo(1));
    assertThat(value("windlass_controller_conflicts_total{controller=\"foo\"}"))
        .isGreaterThanOrEqualTo(1);
    assertThat(of("reconcile_panics_total")).isZero();
  }

  private static RuntimeException conflict() {
    return new KubernetesClientException("conflict", 409, null);
  }

  /** Bad input 37: a million objects with as many names, namespaces and failures. */
  @Test
  void keepsTheNumberOfSeriesWhateverObjectsAreCalled() {
    Controller controller = run((request, context) -> Result.done());
    MetricsListener metrics =
        new MetricsListener(Optional.of(registry), ControllerListener.NONE, WorkQueueListener.NONE);
    metrics.open(controller.config(), controller.run());
    int before = series();
    for (int i = 0; i < 10_000; i++) {
      Request request = Request.of("namespace-" + i, "name-" + i);
      metrics.added(new Priority(Duration.ofNanos(i)));
      metrics.taken(new Priority(Duration.ofNanos(i)), Duration.ofNanos(i));
      metrics.failed(request, new IllegalStateException("message " + i));
      metrics.reconciled(request, ControllerListener.Outcome.ERROR, Duration.ofMillis(i));
    }
    assertThat(series()).isEqualTo(before);
    assertThat(of("reconcile_errors_total")).isEqualTo(10_000);
  }

  /** But for those of the JVM, some of which come with the first garbage collection. */
  private int series() {
    return (int)
        registry.getMeters().stream()
            .filter(meter -> !meter.getId().getName().startsWith("jvm"))
            .count();
  }

  @Test
  void tellsTheListenersOfTheUserAsWell() {
    List<String> heard = new CopyOnWriteArrayList<>();
    server("Foo").put(Samples.json("Foo", "a"));
    Controller controller =
        ofFoo()
            .listener((request, outcome, took) -> heard.add(outcome + " " + request))
            .queueListener(
                new WorkQueueListener() {
                  @Override
                  public void added(Priority priority) {
                    heard.add("added");
                  }
                })
            .reconciler((request, context) -> Result.done())
            .register(manager);
    startUntilReady(controller);
    Eventually.that(() -> assertThat(heard).containsExactly("added", "DONE default/a"));
  }

  private static void stop(Controller controller, Duration limit) {
    try {
      controller.stop(limit);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
