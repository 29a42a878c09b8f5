// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.enqueue.InformerSource;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.monitoring.ControllerDiagnosisCollector;
import dev.windlass.controller.monitoring.ControllerHealth;
import dev.windlass.controller.monitoring.MetricsListener;
import dev.windlass.controller.reconcile.RunningReconcile;
import dev.windlass.controller.running.ControllerRun;
import dev.windlass.controller.running.SourceRunner;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.diagnosis.ControllerDiagnosis;
import dev.windlass.diagnosis.DiagnosisSource;
import dev.windlass.health.HealthSource;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Phase;
import dev.windlass.manager.ShardedComponent;
import dev.windlass.rbac.PermissionSource;
import dev.windlass.rbac.Permissions;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Runs one reconciler. A controller starts the sources that request reconciles, and passes the
 * queued requests to the reconciler.
 *
 * <ul>
 *   <li>A controller starts once, on every replica. If it depends on a lease, its sources fill
 *       their caches, unless it is built with {@link ControllerBuilder#withoutWarmUp}, and it owns
 *       its keys only while this replica holds the lease. It then reconciles every object that its
 *       caches contain. Otherwise, it owns its keys from the start to the stop.
 *   <li>A sharded controller ({@link ControllerBuilder#sharded()}) owns the keys of the shards
 *       whose leases this replica holds.
 *   <li>Sources start in parallel. If a source cannot start or sync, for example because a CRD or a
 *       permission is missing, the controller retries until it succeeds. In the meantime, {@link
 *       #problem()} names the source. After {@link ControllerOptions#syncTimeout}, the controller
 *       also logs a warning.
 *   <li>The first reconcile starts when every initial source has synced and its handler has
 *       received the initial list. Sources that are added later do not delay reconciles.
 *   <li>The workers take requests from the queue; their number is {@link
 *       ControllerOptions#maxConcurrentReconciles}. Two workers never process the same request
 *       concurrently. An exception in a reconcile does not terminate its worker.
 *   <li>If a reconcile exceeds its time-out, the controller cancels it and interrupts its thread.
 *       The controller does not reconcile the object again until this reconcile has returned. A
 *       reconcile that does not respond to the interrupt blocks its worker. If such reconciles
 *       block all workers, the liveness check fails.
 *   <li>When the controller stops or loses the lease, it drops queued requests, cancels running
 *       reconciles and waits for them to return. Their time-outs still apply. When 2 s of the limit
 *       remain, the controller interrupts the reconciles that are still running.
 * </ul>
 *
 * <p>{@link ControllerBuilder} creates controllers. This class is thread-safe.
 */
public final class Controller
    implements ShardedComponent, HealthSource, DiagnosisSource, PermissionSource {

  private final ControllerConfig config;
  private final MetricsListener metrics;
  private final Supplier<Permissions> permissions;
  private final ControllerRun run;
  private final ControllerHealth health;

  private final Map<Handle, SourceRunner> added = new ConcurrentHashMap<>();

  Controller(ControllerConfig config, MetricsListener metrics, Supplier<Permissions> permissions) {
    this.config = config;
    this.metrics = metrics;
    this.permissions = permissions;
    this.run = new ControllerRun(config);
    this.health = new ControllerHealth(config);
  }

  /** Returns the controller's name, which appears in logs, metrics and thread names. */
  public String name() {
    return config.name();
  }

  @Override
  public Phase phase() {
    return config.leading().isSharded() ? Phase.WARM_UP : config.leading().phase();
  }

  /**
   * Starts the controller on a replica that does not lead. The sources fill their caches. The queue
   * remains empty. The controller keeps requests that cannot be computed again, such as messages of
   * an {@link dev.windlass.controller.enqueue.EventChannel}: one for each object. This method has
   * no effect if the controller has been started, or if {@link ControllerBuilder#withoutWarmUp} was
   * called.
   */
  @Override
  public void warmUp() {
    if (config.leading().warmUp()) {
      metrics.open(config, run);
      run.open();
    }
  }

  /**
   * {@inheritDoc} Begins a term, in which the controller owns its keys. A sharded controller fills
   * its caches, and owns the keys of a shard when {@link #shard} is started.
   */
  @Override
  public void start() {
    if (config.leading().isSharded()) {
      warmUp();
      return;
    }
    if (run.keys().areOwned()) {
      throw new IllegalStateException("controller " + name() + " is already running");
    }
    metrics.open(config, run);
    run.acquire(0);
  }

  /** {@inheritDoc} It begins and ends the terms of the shard. */
  @Override
  public ManagedComponent shard(int shard) {
    return new ManagedComponent() {
      @Override
      public void start() {
        metrics.open(config, run);
        run.acquire(shard);
      }

      @Override
      public void cancel(Duration limit) {
        run.cancel(shard, limit);
      }

      @Override
      public boolean stop(Duration limit) throws InterruptedException {
        return run.standDown(shard, limit);
      }

      @Override
      public String toString() {
        return "shard " + (shard + 1) + " of " + Controller.this;
      }
    };
  }

  /**
   * {@inheritDoc} After this call, the controller starts no further reconciles. It cancels running
   * reconciles immediately, and interrupts them 2 s before the limit or, if the limit is less than
   * 4 s, after half of it.
   */
  @Override
  public void cancel(Duration limit) {
    run.cancel(limit);
  }

  /** {@inheritDoc} The controller stays warm, and keeps requests that cannot be computed again. */
  @Override
  public boolean standDown(Duration limit) throws InterruptedException {
    return run.standDown(0, limit);
  }

  /**
   * {@inheritDoc} If reconciles were still running when an earlier call returned, this method also
   * waits for them. A controller that has stopped cannot be started again.
   *
   * @return whether all threads of the controller have terminated
   */
  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    try {
      return run.stop(limit);
    } finally { // even if the wait is interrupted, because the controller has stopped
      metrics.close();
    }
  }

  /**
   * Adds a source. If the controller has been started, the source starts immediately; otherwise, it
   * starts together with the controller. Reconciles do not wait for this source to sync. The source
   * remains until its handle is closed.
   *
   * @throws IllegalArgumentException if the controller already has this source
   */
  public WatchHandle watch(Source source) {
    Handle handle = new Handle(source);
    synchronized (added) {
      if (Stream.concat(config.sources().stream(), added.keySet().stream().map(h -> h.source))
          .anyMatch(there -> there == source)) {
        throw new IllegalArgumentException(
            this
                + " already watches "
                + source
                + ": close the handle of the other watch first, or create another source");
      }
      added.put(handle, run.add(source));
    }
    return handle;
  }

  private final class Handle implements WatchHandle {
    private final Source source;

    Handle(Source source) {
      this.source = source;
    }

    @Override
    public boolean hasSynced() {
      SourceRunner runner = added.get(this);
      return runner != null && runner.hasSynced();
    }

    @Override
    public Optional<String> problem() {
      SourceRunner runner = added.get(this);
      return runner == null ? Optional.empty() : runner.problem();
    }

    @Override
    public void close() {
      SourceRunner runner = added.remove(this);
      if (runner != null) {
        run.remove(runner);
      }
    }
  }

  /**
   * Returns whether reconciles can start: every initial source has synced, and this controller owns
   * its keys.
   */
  public boolean isReady() {
    return run.isReady();
  }

  /** Returns whether every initial source has synced. */
  public boolean hasSynced() {
    return run.isOpen() && run.hasSynced();
  }

  /** Returns the number of requests that are ready to be processed and wait for a worker. */
  public int queueLength() {
    return run.keys().queue().length();
  }

  ControllerConfig config() {
    return config;
  }

  ControllerRun run() {
    return run;
  }

  /**
   * Returns the number of ready requests for each priority, in descending order of priority. The
   * metric {@code workqueue_depth} reports these numbers.
   */
  public Map<Priority, Integer> queueLengths() {
    return run.keys().queue().lengths();
  }

  /**
   * Returns the maximum number of concurrent reconciles. The metric {@code
   * controller_runtime_max_concurrent_reconciles} reports this number.
   */
  public int maxConcurrentReconciles() {
    return config.options().maxConcurrentReconciles;
  }

  /**
   * Returns a snapshot of the running reconciles. Three metrics are derived from it: {@code
   * controller_runtime_active_workers} is the number of reconciles, {@code
   * workqueue_unfinished_work_seconds} is the sum of their run times, and {@code
   * workqueue_longest_running_processor_seconds} is the longest run time.
   */
  public List<RunningReconcile> running() {
    return run.watchdog().active().stream()
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
    return run.isOpen() ? run.problem() : Optional.empty();
  }

  /** Returns {@code controller-}, followed by the name of this controller. */
  @Override
  public String checkName() {
    String plain = name().replaceAll("[^-A-Za-z0-9_.]", "-"); // characters allowed in a path
    return "controller-" + plain.substring(0, Math.min(plain.length(), 100));
  }

  /**
   * {@inheritDoc} Reports a problem if a worker has terminated, if the loop of a source hangs, if
   * unresponsive reconciles that have exceeded their time-out block all workers, or if a reconcile
   * has not ended 30 s after the loss of the lease has interrupted it.
   */
  @Override
  public Optional<String> liveness(Duration wedgedAfter) {
    return run.isOpen() ? health.liveness(run, wedgedAfter) : Optional.empty();
  }

  /**
   * {@inheritDoc} Reports initial sources that have not synced, problems of sources that have
   * lasted for 30 s, and reconciles from before the last loss of the lease that are still running.
   */
  @Override
  public Optional<String> readiness() {
    return run.isOpen() ? health.readiness(run) : Optional.empty();
  }

  @Override
  public Permissions permissions() {
    return permissions.get();
  }

  @Override
  public ControllerDiagnosis diagnosis() {
    return ControllerDiagnosisCollector.of(config, run);
  }

  @Override
  public List<String> watched() {
    return config.sources().stream()
        .map(s -> s instanceof InformerSource<?> source ? source.watched() : String.valueOf(s))
        .distinct() // the primary type can be watched again, with another handler
        .toList();
  }

  @Override
  public String toString() {
    return "controller " + name();
  }
}
