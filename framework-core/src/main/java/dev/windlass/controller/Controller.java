// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.RunningReconcile;
import dev.windlass.controller.running.ControllerConfig;
import dev.windlass.controller.running.ControllerOptions;
import dev.windlass.controller.sources.SourceSlot;
import dev.windlass.controller.sources.StartedSources;
import dev.windlass.diagnosis.ControllerDiagnosis;
import dev.windlass.diagnosis.Diagnosed;
import dev.windlass.health.Monitored;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Phase;
import dev.windlass.rbac.Declaring;
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
 * Drives one reconciler.
 *
 * <ul>
 *   <li>Its sources are started side by side. One that can't start or sync, for want of its CRD or
 *       of the right to list, is tried again until it can; {@link #trouble()} names it, and after
 *       {@link ControllerOptions#syncTimeout()} one warning does.
 *   <li>No reconcile begins before every source that was there at the start has synced and its
 *       handlers have seen the initial list. A source that is added later delays nobody.
 *   <li>{@link ControllerOptions#maxConcurrentReconciles()} workers take requests from the queue,
 *       each of them one at a time, and never two the same. Nothing that a reconcile does or throws
 *       ends a worker.
 *   <li>A reconcile past its time-out is cancelled and its thread interrupted. As long as it has
 *       not returned, its object waits; its worker is replaced, up to as many as there are workers.
 *   <li>A stop cancels the reconciles that run and waits for them; their time-outs hold. It
 *       interrupts what still runs 2 s before its own limit. What waits in the queue is dropped;
 *       the next start sees every object anyway.
 * </ul>
 *
 * <p>Made by {@link ControllerBuilder}. All methods may be called from any thread. It may be
 * started again after it was stopped.
 */
public final class Controller implements ManagedComponent, Monitored, Diagnosed, Declaring {

  private final ControllerConfig config;
  private final ControllerMetrics metrics;
  private final Supplier<Permissions> rights;
  private final Object lock = new Object();

  /**
   * Held while a run begins with its meters, and while they are taken away, so that the end of one
   * run does not remove the meters of the next. Taken before {@link #lock}.
   */
  private final Object meters = new Object();

  @GuardedBy("lock")
  private @Nullable ControllerRun run;

  /** The sources that were added at runtime, with their slots while the controller runs. */
  @GuardedBy("lock")
  private final Map<Handle, @Nullable SourceSlot> added = new HashMap<>();

  /** Earlier runs of which something goes on: most of all reconciles, which hold their keys. */
  @GuardedBy("lock")
  private final List<ControllerRun> outlasting = new ArrayList<>();

  private final ControllerHealth health;
  private final StartedSources startedSources = new StartedSources();

  /** Whether there has been a run. */
  @GuardedBy("lock")
  private boolean ran;

  Controller(ControllerConfig config, ControllerMetrics metrics, Supplier<Permissions> rights) {
    this.config = config;
    this.metrics = metrics;
    this.rights = rights;
    this.health = new ControllerHealth(config);
  }

  /** The name in logs, metrics and threads. */
  public String name() {
    return config.name();
  }

  @Override
  public Phase phase() {
    return config.leading().phase();
  }

  /**
   * Fills the caches of the sources, and the queue not before {@link #start()}: for replicas that
   * do not lead yet. What such a replica could not compute again, as messages of an {@link
   * dev.windlass.controller.enqueue.EventChannel}, is kept until then, once for each object.
   * Without effect if that was done, or if its builder was told that it is not to be warmed up.
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

  /** Shows the meters, and takes them away if nothing begins after all. */
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
              throw new IllegalStateException("controller " + name() + " is running already");
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
   * {@inheritDoc} No reconcile begins any more, and those that run are cancelled, and interrupted 2
   * s before the limit.
   */
  @Override
  public void cancel(Duration limit) {
    ControllerRun current = current();
    if (current != null) {
      current.cancel(limit);
    }
  }

  /**
   * {@inheritDoc} A stop that follows another one waits for what has outlasted that.
   *
   * @return whether nothing of any run goes on
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
    } finally { // also if whoever waits is interrupted: this run does not come back
      synchronized (lock) {
        if (run == ending) {
          outlasting.add(ending);
          outlasting.removeIf(earlier -> !earlier.outlasts());
          added.replaceAll((handle, slot) -> null);
          run = null;
        }
      }
      synchronized (meters) {
        if (current() == null) { // else another run has begun since, and measures
          metrics.close();
        }
      }
    }
  }

  /**
   * Adds a source, which is started at once if the controller runs, and else with it. It delays
   * nobody, and remains until its handle is closed, also over a stop and a start.
   *
   * @throws IllegalArgumentException if it is there already
   */
  public WatchHandle watch(Source source) {
    Handle handle = new Handle(source);
    synchronized (lock) {
      if (Stream.concat(config.sources().stream(), added.keySet().stream().map(h -> h.source))
          .anyMatch(there -> there == source)) {
        throw new IllegalArgumentException(
            this
                + " watches "
                + source
                + " already: close the handle of the other watch first, or make another source");
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

    private @Nullable SourceSlot slot() {
      synchronized (lock) {
        return added.get(this);
      }
    }

    @Override
    public boolean hasSynced() {
      SourceSlot slot = slot();
      return slot != null && slot.hasSynced();
    }

    @Override
    public Optional<String> trouble() {
      SourceSlot slot = slot();
      return slot == null ? Optional.empty() : slot.trouble();
    }

    @Override
    public void close() {
      ControllerRun current;
      SourceSlot slot;
      synchronized (lock) {
        current = run;
        slot = added.remove(this);
      }
      if (slot != null && current != null) {
        current.remove(slot);
      }
    }
  }

  private @Nullable ControllerRun current() {
    synchronized (lock) {
      return run;
    }
  }

  /** Whether the workers are at work: every source has synced. */
  public boolean isReady() {
    ControllerRun current = current();
    return current != null && current.isReady();
  }

  /** Whether every source has synced that was there at the start. */
  public boolean hasSynced() {
    ControllerRun current = current();
    return current != null && current.hasSynced();
  }

  /** How many requests are ready and wait for a worker. */
  public int queueLength() {
    ControllerRun current = current();
    return current == null ? 0 : current.state().queue().length();
  }

  /** How many requests wait for their time. */
  int delayed() {
    ControllerRun current = current();
    return current == null ? 0 : current.state().queue().delayed();
  }

  /** How long the request has been ready that has waited for longest. */
  Duration longestWait() {
    ControllerRun current = current();
    return current == null ? Duration.ZERO : current.state().queue().longestWait();
  }

  /**
   * How many requests are ready under each priority, most urgent first: {@code workqueue_depth}.
   * Empty while the controller does not run.
   */
  public Map<Priority, Integer> queueLengths() {
    ControllerRun current = current();
    return current == null ? Map.of() : current.state().queue().lengths();
  }

  /**
   * How many objects may be reconciled at the same time: {@code
   * controller_runtime_max_concurrent_reconciles}.
   */
  public int maxConcurrentReconciles() {
    return config.options().maxConcurrentReconciles();
  }

  /**
   * The reconciles that are under way; a snapshot. Their number is {@code
   * controller_runtime_active_workers}, the sum of what they have taken {@code
   * workqueue_unfinished_work_seconds}, and the longest {@code
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
   * What keeps sources from syncing or being up to date, and which reconciles are stuck; empty if
   * all is well.
   */
  public Optional<String> trouble() {
    ControllerRun current = current();
    return current == null ? Optional.empty() : current.trouble();
  }

  /** {@code controller-} and the name. */
  @Override
  public String checkName() {
    String plain = name().replaceAll("[^-A-Za-z0-9_.]", "-"); // what may stand in a path
    return "controller-" + plain.substring(0, Math.min(plain.length(), 100));
  }

  /** {@inheritDoc} Dead workers, or all of them held by reconciles that outlived their time-out. */
  @Override
  public Optional<String> liveness(Duration wedgedAfter) {
    ControllerRun current = current();
    return current == null ? Optional.empty() : health.liveness(current, wedgedAfter);
  }

  /** {@inheritDoc} Sources that have not synced, or have been in trouble for 30 s. */
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
    return ControllerDiagnoses.of(config, current());
  }

  @Override
  public List<String> watched() {
    return config.sources().stream().map(String::valueOf).toList();
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
