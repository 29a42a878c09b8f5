// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.monitoring;

import dev.windlass.controller.keys.OwnedKeys;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.running.ActiveReconcile;
import dev.windlass.controller.running.ControllerRun;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.metrics.Buckets;
import dev.windlass.metrics.Meters;
import dev.windlass.workqueue.Priority;
import dev.windlass.workqueue.WorkQueue;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

/**
 * The meters of one controller and its queue. A meter that controller-runtime also provides has the
 * same name as in controller-runtime. The constructor registers the meters, and {@code close}
 * removes them.
 */
final class ControllerMeters {

  private final Meters meters;
  private final String name;

  final Map<Outcome, Counter> results = new EnumMap<>(Outcome.class);
  final Counter errors;
  final Counter terminalErrors;
  final Counter panics;
  final Counter timeouts;
  final Counter conflicts;
  final Counter loops;
  final Counter ownEventsIgnored;
  final Timer time;

  final Counter adds;
  final Counter retries;
  final Timer waited;
  final Timer worked;

  ControllerMeters(MeterRegistry registry, ControllerConfig config, ControllerRun run) {
    this.meters = new Meters(registry);
    this.name = config.name();
    Counter error = result("error");
    results.put(Outcome.DONE, result("success"));
    results.put(Outcome.REQUEUE, result("requeue"));
    results.put(Outcome.REQUEUE_AFTER, result("requeue_after"));
    results.put(Outcome.ERROR, error);
    results.put(Outcome.TERMINAL_ERROR, error);
    errors = reconciles("controller_runtime_reconcile_errors_total", "Reconciles that failed");
    terminalErrors =
        reconciles(
            "controller_runtime_terminal_reconcile_errors_total",
            "Reconciles that failed with a TerminalException, and are not retried");
    panics =
        reconciles(
            "controller_runtime_reconcile_panics_total",
            "Reconciles that failed with an `Error` or an exception of the JVM, such as `NullPointerException`");
    timeouts =
        reconciles(
            "controller_runtime_reconcile_timeouts_total",
            "Reconciles that were cancelled by the controller's time-out");
    conflicts =
        reconciles(
            "windlass_controller_conflicts_total",
            "Reconciles that failed because another writer had changed the object");
    loops =
        reconciles("windlass_controller_loops_total", "Times that a reconcile loop was detected");
    ownEventsIgnored =
        reconciles(
            "windlass_controller_own_events_ignored_total",
            "Events that led to no reconcile because they show what a reconcile of the object wrote");
    time =
        meters.timer(
            "controller_runtime_reconcile_time_seconds",
            "How long reconciles took",
            Buckets.RECONCILE,
            "controller",
            name);
    adds = meters.counter("workqueue_adds_total", "Requests that became ready", queue());
    retries =
        meters.counter(
            "workqueue_retries_total", "Requests added with a delay or a back-off", queue());
    waited =
        meters.timer(
            "workqueue_queue_duration_seconds",
            "How long requests were ready before a worker took them",
            Buckets.QUEUE,
            queue());
    worked =
        meters.timer(
            "workqueue_work_duration_seconds",
            "How long workers processed requests",
            Buckets.QUEUE,
            queue());
    workers(config, run);
    waiting(run.keys().queue());
    failing(run.keys());
    if (config.leading().isSharded()) {
      meters.count(
          "windlass_controller_dropped_requests_total",
          "Requests that only this replica received, for objects that another replica owns",
          run.keys()::dropped,
          "controller",
          name);
      ShardSizes sizes = new ShardSizes(config, run.keys());
      for (int shard = 0; shard < config.leading().shards(); shard++) {
        int number = shard;
        meters.gauge(
            "windlass_controller_shard_objects",
            "Objects of a shard, on the replica that owns it",
            () -> sizes.of(number),
            "controller",
            name,
            "shard",
            "%02d".formatted(shard + 1));
      }
    }
  }

  private Counter result(String result) {
    return meters.counter(
        "controller_runtime_reconcile_total",
        "Reconciles, by how they ended",
        "controller",
        name,
        "result",
        result);
  }

  private Counter reconciles(String metric, String help) {
    return meters.counter(metric, help, "controller", name);
  }

  private String[] queue() {
    return new String[] {"name", name, "controller", name};
  }

  private void workers(ControllerConfig config, ControllerRun run) {
    meters.gauge(
        "controller_runtime_max_concurrent_reconciles",
        "How many objects may be reconciled at the same time",
        () -> config.options().maxConcurrentReconciles,
        "controller",
        name);
    meters.gauge(
        "controller_runtime_active_workers",
        "Reconciles in progress",
        () -> run.watchdog().active().size(),
        "controller",
        name);
    meters.gauge(
        "windlass_controller_stuck_reconciles",
        "Reconciles that ignore their interrupt; their objects wait until they return",
        () -> run.watchdog().active().stream().filter(ActiveReconcile::stuck).count(),
        "controller",
        name);
    meters.gauge(
        "windlass_controller_ready",
        "1 if all sources have synced and the workers are running",
        () -> run.isReady() ? 1 : 0,
        "controller",
        name);
    meters.seconds(
        "workqueue_unfinished_work_seconds",
        "Total elapsed time of all reconciles in progress",
        () -> elapsed(run).reduce(Duration.ZERO, Duration::plus),
        queue());
    meters.seconds(
        "workqueue_longest_running_processor_seconds",
        "Elapsed time of the longest-running reconcile in progress",
        () -> elapsed(run).max(Duration::compareTo).orElse(Duration.ZERO),
        queue());
  }

  /** Counts the objects of each shard, once for each scrape. */
  private static final class ShardSizes {
    private static final long SCRAPE_NANOS = 1_000_000_000;

    private final ControllerConfig config;
    private final OwnedKeys keys;
    private int[] sizes = {};
    private long countedAt;

    ShardSizes(ControllerConfig config, OwnedKeys keys) {
      this.config = config;
      this.keys = keys;
    }

    synchronized int of(int shard) {
      long now = config.scheduler().nanoTime();
      if (sizes.length == 0 || now - countedAt >= SCRAPE_NANOS) {
        int[] counted = new int[config.leading().shards()];
        config.lookup().primaries().forEach(each -> counted[config.leading().shardOf(each)]++);
        sizes = counted;
        countedAt = now;
      }
      return keys.owns(shard) ? sizes[shard] : 0;
    }
  }

  private static Stream<Duration> elapsed(ControllerRun run) {
    return run.watchdog().active().stream().map(ActiveReconcile::elapsed);
  }

  private void waiting(WorkQueue<Request> queued) {
    String help = "Requests that are ready and waiting for a worker";
    depth(help, "0", () -> depth(queued, Priority.NORMAL));
    depth(help, "-10", () -> depth(queued, Priority.NEW));
    depth(help, "-100", () -> depth(queued, Priority.LOW));
    depth(
        help,
        "other",
        () ->
            queued.length()
                - Stream.of(Priority.NORMAL, Priority.NEW, Priority.LOW)
                    .mapToInt(each -> depth(queued, each))
                    .sum());
    meters.gauge(
        "windlass_workqueue_delayed",
        "Requests that wait for the end of a delay or a back-off",
        queued::delayed,
        queue());
    meters.seconds(
        "windlass_workqueue_longest_wait_seconds",
        "How long the longest-waiting request has been ready",
        queued::longestWait,
        queue());
  }

  private void failing(OwnedKeys keys) {
    meters.gauge(
        "windlass_controller_failing_objects",
        "Objects whose last reconcile failed",
        () -> keys.failures().size(),
        "controller",
        name);
    meters.seconds(
        "windlass_controller_longest_failing_seconds",
        "How long the longest-failing object has been failing, since its first failure",
        () ->
            keys.failures().stream()
                .map(OwnedKeys.Failure::failing)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO),
        "controller",
        name);
  }

  private void depth(String help, String priority, DoubleSupplier depth) {
    meters.gauge(
        "workqueue_depth", help, depth, "name", name, "controller", name, "priority", priority);
  }

  private static int depth(WorkQueue<Request> queued, Priority priority) {
    return queued.lengths().getOrDefault(priority, 0);
  }

  void close() {
    meters.close();
  }
}
