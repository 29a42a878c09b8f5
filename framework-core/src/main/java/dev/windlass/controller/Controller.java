// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.monitoring.ControllerDiagnosisCollector;
import dev.windlass.controller.monitoring.ControllerGauges;
import dev.windlass.controller.monitoring.ControllerHealth;
import dev.windlass.controller.monitoring.MetricsListener;
import dev.windlass.controller.reconcile.RunningReconcile;
import dev.windlass.controller.running.ActiveReconcile;
import dev.windlass.controller.running.ControllerConfig;
import dev.windlass.controller.running.ControllerOptions;
import dev.windlass.controller.running.ControllerRun;
import dev.windlass.controller.running.RunContext;
import dev.windlass.controller.running.SourceRunner;
import dev.windlass.controller.running.StartedSources;
import dev.windlass.diagnosis.ControllerDiagnosis;
import dev.windlass.diagnosis.DiagnosisSource;
import dev.windlass.health.HealthSource;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Phase;
import dev.windlass.rbac.PermissionSource;
import dev.windlass.rbac.Permissions;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs one reconciler. A controller starts the sources that request reconciles, and passes the
 * queued requests to the reconciler.
 *
 * <ul>
 *   <li>Sources start in parallel. If a source cannot start or sync, for example because a CRD or a
 *       permission is missing, the controller retries until it succeeds. In the meantime, {@link
 *       #problem()} names the source. After {@link ControllerOptions#syncTimeout()}, the controller
 *       also logs a warning.
 *   <li>The first reconcile starts when every initial source has synced and its handler has
 *       received the initial list. Sources that are added later do not delay reconciles.
 *   <li>The workers take requests from the queue; their number is {@link
 *       ControllerOptions#maxConcurrentReconciles()}. Two workers never process the same request
 *       concurrently. An exception in a reconcile does not terminate its worker.
 *   <li>If a reconcile exceeds its time-out, the controller cancels it and interrupts its thread.
 *       The controller does not reconcile the object again until this reconcile has returned. A
 *       reconcile that does not respond to the interrupt blocks its worker. If such reconciles
 *       block all workers, the liveness check fails.
 *   <li>When the controller stops, it cancels running reconciles and waits for them to return.
 *       Their time-outs still apply. When 2 s of the shutdown limit remain, the controller
 *       interrupts the reconciles that are still running. It drops queued requests, because every
 *       object is reconciled after the next start.
 * </ul>
 *
 * <p>{@link ControllerBuilder} creates controllers. A stopped controller can be started again. This
 * class is thread-safe.
 */
public final class Controller
    implements ManagedComponent, HealthSource, DiagnosisSource, PermissionSource {

  private final ControllerConfig config;
  private final MetricsListener metrics;
  private final Supplier<Permissions> rights;
  private final Object lock = new Object();

  /**
   * The lock for the meters. A thread holds it while a run and its meters start, and while the
   * meters are removed. The end of one run therefore cannot remove the meters of the next. Acquire
   * this lock before {@link #lock}.
   */
  private final Object meters = new Object();

  @GuardedBy("lock")
  private @Nullable ControllerRun run;

  /** The sources added at runtime. Each has a runner while the controller runs. */
  @GuardedBy("lock")
  private final Map<Handle, @Nullable SourceRunner> added = new HashMap<>();

  /** Earlier runs that have not terminated, usually because reconciles are still running. */
  @GuardedBy("lock")
  private final List<ControllerRun> outlasting = new ArrayList<>();

  private final ControllerHealth health;
  private final StartedSources startedSources = new StartedSources();

  Controller(ControllerConfig config, MetricsListener metrics, Supplier<Permissions> rights) {
    this.config = config;
    this.metrics = metrics;
    this.rights = rights;
    this.health = new ControllerHealth(config);
  }

  /** Returns the controller's name, which appears in logs, metrics and thread names. */
  public String name() {
    return config.name();
  }

  @Override
  public Phase phase() {
    return config.leading().phase();
  }

  /**
   * Fills the caches of the sources on a replica that is not the leader yet. The queue remains
   * empty until {@link #start()} is called. Until then, the controller keeps requests that {@link
   * #start()} could not recompute, such as messages of an {@link
   * dev.windlass.controller.enqueue.EventChannel}. It keeps one request for each object. This
   * method has no effect if the caches are already being filled, if the controller is running, or
   * if {@link ControllerBuilder#withoutWarmUp} was called.
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

  /** Registers the meters, then runs an action. If it fails, removes them unless a run exists. */
  private void measured(Runnable beginning) {
    synchronized (meters) {
      boolean begun = false;
      try {
        metrics.open(gauges());
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
    ControllerRun beginning = new ControllerRun(config, this::someOutlast, startedSources);
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
    return beginning;
  }

  /**
   * {@inheritDoc} After this call, the controller starts no further reconciles. It cancels running
   * reconciles immediately, and interrupts them 2 s before the limit or, if the limit is less than
   * 4 s, after half of it.
   */
  @Override
  public void cancel(Duration limit) {
    ControllerRun current = current();
    if (current != null) {
      current.cancel(limit);
    }
  }

  /**
   * {@inheritDoc} If reconciles were still running when an earlier call returned, this method also
   * waits for them.
   *
   * @return whether all threads of the controller have terminated
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
    } finally { // even if the wait is interrupted, because this run has stopped
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
   * Adds a source. If the controller is running, the source starts immediately; otherwise, it
   * starts together with the controller. Reconciles do not wait for this source to sync. The source
   * remains until its handle is closed, even if the controller is stopped and started again.
   *
   * @throws IllegalArgumentException if the controller already has this source
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

  /** Returns whether the workers are running. They start when every initial source has synced. */
  public boolean isReady() {
    ControllerRun current = current();
    return current != null && current.isReady();
  }

  /** Returns whether every initial source has synced. */
  public boolean hasSynced() {
    ControllerRun current = current();
    return current != null && current.hasSynced();
  }

  /** Returns the number of requests that are ready to be processed and wait for a worker. */
  public int queueLength() {
    return ask(run -> run.queue().length(), 0);
  }

  /** Returns the gauges that this controller's metrics read. */
  ControllerGauges gauges() {
    return new ControllerGauges(
        name(),
        maxConcurrentReconciles(),
        this::isReady,
        this::running,
        this::queueLength,
        this::queueLengths,
        this::delayed,
        () -> ask(run -> run.queue().longestWait(), Duration.ZERO),
        () -> ask(run -> run.failures().size(), 0),
        () ->
            ask(
                run ->
                    run.failures().stream()
                        .map(RunContext.Failure::failing)
                        .max(Duration::compareTo)
                        .orElse(Duration.ZERO),
                Duration.ZERO));
  }

  /** Returns a value of the current run, or a default if the controller is not running. */
  private <V> V ask(Function<RunContext, V> value, V otherwise) {
    ControllerRun current = current();
    return current == null ? otherwise : value.apply(current.state());
  }

  /** Returns the number of requests that are waiting for a delay or back-off to end. */
  int delayed() {
    return ask(run -> run.queue().delayed(), 0);
  }

  /**
   * Returns the number of ready requests for each priority, in descending order of priority. The
   * metric {@code workqueue_depth} reports these numbers. The map is empty if the controller is not
   * running.
   */
  public Map<Priority, Integer> queueLengths() {
    return ask(run -> run.queue().lengths(), Map.of());
  }

  /**
   * Returns the maximum number of concurrent reconciles. The metric {@code
   * controller_runtime_max_concurrent_reconciles} reports this number.
   */
  public int maxConcurrentReconciles() {
    return config.options().maxConcurrentReconciles();
  }

  /**
   * Returns a snapshot of the running reconciles. Three metrics are derived from it: {@code
   * controller_runtime_active_workers} is the number of reconciles, {@code
   * workqueue_unfinished_work_seconds} is the sum of their run times, and {@code
   * workqueue_longest_running_processor_seconds} is the longest run time.
   */
  public List<RunningReconcile> running() {
    return ask(run -> run.watchdog().active(), List.<ActiveReconcile>of()).stream()
        .map(
            a ->
                new RunningReconcile(
                    a.request(), a.reconcileId(), a.elapsed(), a.timedOut(), a.stuck()))
        .toList();
  }

  /**
   * Returns a description of the controller's current problems, such as stuck reconciles or sources
   * that cannot sync. Returns empty if there are none.
   */
  public Optional<String> problem() {
    ControllerRun current = current();
    return current == null ? Optional.empty() : current.problem();
  }

  /** Returns {@code controller-}, followed by the name of this controller. */
  @Override
  public String checkName() {
    String plain = name().replaceAll("[^-A-Za-z0-9_.]", "-"); // characters allowed in a path
    return "controller-" + plain.substring(0, Math.min(plain.length(), 100));
  }

  /**
   * {@inheritDoc} Reports a problem if a worker has terminated, if the loop of a source hangs, or
   * if unresponsive reconciles that have exceeded their time-out block all workers.
   */
  @Override
  public Optional<String> liveness(Duration wedgedAfter) {
    ControllerRun current = current();
    return current == null ? Optional.empty() : health.liveness(current, wedgedAfter);
  }

  /**
   * {@inheritDoc} Reports initial sources that have not synced, problems of sources that have
   * lasted for 30 s, and reconciles from before the last stop that are still running.
   */
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
        .distinct() // the primary type can be watched again, with another handler
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
