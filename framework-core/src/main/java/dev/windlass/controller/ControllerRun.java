// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.running.ActiveReconcile;
import dev.windlass.controller.running.ControllerConfig;
import dev.windlass.controller.running.RunState;
import dev.windlass.controller.sources.SourceSlot;
import dev.windlass.controller.sources.StartedSources;
import dev.windlass.health.Pulse;
import dev.windlass.time.Loop;
import dev.windlass.time.Pause;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of a controller, from a start to the stop that follows: its sources fill its queue, and
 * when all that were there at the beginning have synced, and it may, its workers empty it.
 */
final class ControllerRun {

  static final String OUTLASTING =
      "a reconcile from before the last stop has not returned, and no other begins until it has";

  /** How long reconciles have to end after a stop has interrupted them: 2 s. */
  static final Duration GRACE = Duration.ofSeconds(2);

  private static final Logger log = LoggerFactory.getLogger(Controller.class);

  private final ControllerConfig config;
  private final Scheduler scheduler;
  private final BooleanSupplier someOutlast;
  private final StartedSources startedSources;
  private final boolean again;
  private final RunState state;
  private final Loop starter;

  /** Every source that there is. */
  @GuardedBy("this")
  private final List<SourceSlot> slots = new ArrayList<>();

  /** Those for which the workers wait; complete before the starter starts. */
  private final List<SourceSlot> awaited = new CopyOnWriteArrayList<>();

  /** How many slots there have been. */
  @GuardedBy("this")
  private int numbers;

  private volatile boolean ready;
  private volatile @Nullable String failure;

  /**
   * A run that has not begun.
   *
   * @param someOutlast whether reconciles of an earlier run still hold their keys
   * @param startedSources those of all runs of the controller
   * @param again whether there were runs before, whose failures are to be forgotten
   */
  ControllerRun(
      ControllerConfig config,
      BooleanSupplier someOutlast,
      StartedSources startedSources,
      boolean again) {
    this.startedSources = startedSources;
    this.again = again;
    this.config = config;
    this.scheduler = config.scheduler();
    this.someOutlast = someOutlast;
    this.state = new RunState(config);
    this.starter =
        new Loop(config.name() + "-starter", this::awaitSources, scheduler, config.threads());
  }

  RunState state() {
    return state;
  }

  /**
   * Begins to start the sources, for which the workers will wait, or on a stand-by to warm them up,
   * and returns.
   */
  void begin(List<Source> sources, boolean standby) {
    if (!standby) {
      state.standby().release();
    }
    log.info("Starting {} controller", config.kind());
    for (Source source : sources) {
      awaited.add(add(source));
    }
    log.info("Waiting for informer caches to sync");
    starter.start();
  }

  /** Takes back a beginning that failed. Waits for nobody. */
  void abandon() {
    state.stop();
    starter.stop();
    closeQueueAndSources();
  }

  /** Ends the stand-by: the workers begin as soon as the sources have synced. */
  void release() {
    state.standby().release();
    slots().forEach(SourceSlot::release);
    starter.wake();
  }

  boolean isReleased() {
    return state.standby().isReleased();
  }

  /** Starts one more source, for which nobody waits; one that comes after the stop is not. */
  SourceSlot add(Source source) {
    synchronized (this) {
      SourceSlot slot =
          new SourceSlot(config, source, ++numbers, state, startedSources, starter::wake);
      if (state.isStopping()) {
        slot.stop();
      } else {
        slot.begin();
        slots.add(slot);
      }
      return slot;
    }
  }

  /** Ends a source; when this has returned, nothing more comes of it. */
  void remove(SourceSlot slot) {
    synchronized (this) {
      slots.remove(slot);
    }
    slot.close();
  }

  private synchronized List<SourceSlot> slots() {
    return List.copyOf(slots);
  }

  /** The starter's step: looks whether the workers may begin. */
  private Pause awaitSources() {
    if (ready || state.isStopping()) {
      return Pause.UNTIL_WOKEN;
    }
    if (!hasSynced()) {
      failIfOverdue();
      return Pause.of(SourceSlot.SYNC_POLL);
    }
    if (!isReleased()) {
      return Pause.UNTIL_WOKEN;
    }
    if (!awaited.stream().allMatch(SourceSlot::isComplete)) {
      failIfOverdue();
      return Pause.of(SourceSlot.SYNC_POLL);
    }
    // A key that an earlier run still works on must not be worked on by this one, too.
    if (someOutlast.getAsBoolean()) {
      return Pause.of(SourceSlot.SYNC_POLL);
    }
    log.info("Starting workers");
    if (again) {
      forgetFailures();
    }
    state.workers().start();
    ready = true;
    log.info("Started workers");
    return Pause.UNTIL_WOKEN;
  }

  /** Nothing is in work, so nobody counts any meanwhile. */
  private void forgetFailures() {
    try {
      config.queue().rateLimiter().forgetAll();
    } catch (Exception | Error e) { // user code, which must not keep the workers from starting
      log.error("{}: the rate limiter failed to forget the last run", config.name(), e);
    }
  }

  private void failIfOverdue() {
    if (!config.options().failOnSyncTimeout() || failure != null) {
      return;
    }
    String causes =
        awaited.stream()
            .filter(SourceSlot::isOverdue)
            .flatMap(slot -> slot.trouble().stream())
            .collect(Collectors.joining("; "));
    if (!causes.isEmpty()) {
      failure = "its sources have not synced in time: " + causes;
      log.error("{} fails: {}", config.name(), failure);
      config.onFailure().accept(new IllegalStateException(config.name() + ": " + failure));
    }
  }

  /** Whether the workers are at work. */
  boolean isReady() {
    return ready;
  }

  /** Whether every source for which the workers wait has synced. */
  boolean hasSynced() {
    return awaited.stream().allMatch(SourceSlot::hasSynced);
  }

  /** The sources for which the workers wait. */
  List<String> unsynced() {
    return awaited.stream().filter(s -> !s.hasSynced()).map(SourceSlot::source).toList();
  }

  /** What is wrong with sources, by source, whether they have synced or not. */
  Map<String, String> sourceTroubles() {
    Map<String, String> troubles = new TreeMap<>();
    slots().forEach(slot -> slot.trouble().ifPresent(t -> troubles.put(slot.source(), t)));
    return troubles;
  }

  /** Whether an earlier run holds keys, so that this one can't begin. */
  boolean isHeldUp() {
    return !ready && someOutlast.getAsBoolean();
  }

  /** The heartbeats of what must be running: the starter, and the loops of the sources. */
  List<Pulse> pulses() {
    List<Pulse> pulses = new ArrayList<>(List.of(Pulse.of(starter)));
    slots().forEach(slot -> pulses.addAll(slot.pulses()));
    return pulses;
  }

  /** What is wrong, in a sentence; empty if nothing is. */
  Optional<String> trouble() {
    Stream<String> sources = slots().stream().flatMap(slot -> slot.trouble().stream());
    Stream<String> stuck =
        state.watchdog().active().stream()
            .filter(ActiveReconcile::stuck)
            .map(a -> a + " has been stuck for " + a.elapsed().toSeconds() + " s");
    Stream<String> starting =
        starter.lastFailure().stream().map(t -> "the workers could not be started: " + t);
    Stream<String> before = someOutlast.getAsBoolean() ? Stream.of(OUTLASTING) : Stream.empty();
    String all =
        Stream.of(sources, stuck, starting, before)
            .flatMap(troubles -> troubles)
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  /**
   * Stops what runs, and waits for it. Reconciles are interrupted at their time-out, or when the
   * stop can spare no more than {@link #GRACE}, in which they can come to an end. May be called
   * again, to wait again.
   *
   * @return whether all of it has ended
   */
  boolean end(Duration limit) throws InterruptedException {
    long deadline = scheduler.nanoTime() + Scheduler.saturatedNanos(limit);
    cancel(limit);
    ready = false;
    starter.stop();
    closeQueueAndSources();
    try {
      boolean ended = joinWorkers(deadline);
      ended &= starter.join(until(deadline));
      for (SourceSlot slot : slots()) {
        ended &= slot.join(until(deadline));
      }
      ended &= state.errands().join(deadline);
      return ended;
    } finally {
      state.watchdog().interruptAll(); // if whoever waits was interrupted
      state.watchdog().close();
    }
  }

  /**
   * Lets nothing begin, and asks what runs to come to an end.
   *
   * @param limit how long the stop that follows may take
   */
  void cancel(Duration limit) {
    if (!state.isStopping()) {
      log.info("Shutting down workers");
    }
    state.stop();
    state.watchdog().interruptWithin(patience(limit));
  }

  /** How long a stop waits before it interrupts: all its time but a grace, or half of it. */
  private static Duration patience(Duration limit) {
    Duration half = limit.dividedBy(2);
    Duration most = limit.minus(GRACE);
    return most.compareTo(half) < 0 ? half : most;
  }

  private boolean joinWorkers(long deadline) throws InterruptedException {
    long patient = scheduler.nanoTime() + Scheduler.saturatedNanos(patience(until(deadline)));
    List<Thread> workers = state.workers().alive();
    for (Thread worker : workers) {
      join(worker, patient);
    }
    state.watchdog().interruptAll();
    boolean ended = true;
    for (Thread worker : workers) {
      if (!join(worker, deadline)) {
        ended = false;
        log.warn(
            "{} has not ended, though its reconcile was cancelled and interrupted",
            worker.getName());
      }
    }
    return ended;
  }

  /** Whether reconciles of this run hold their keys. */
  boolean holdsKeys() {
    return !state.workers().alive().isEmpty();
  }

  /** Whether a thread of this run has not ended. */
  boolean outlasts() {
    return holdsKeys()
        || starter.isRunning()
        || !state.errands().isIdle()
        || slots().stream().anyMatch(SourceSlot::isRunning);
  }

  private void closeQueueAndSources() {
    state.queue().shutDown();
    slots().forEach(SourceSlot::stop);
  }

  private boolean join(Thread worker, long deadline) throws InterruptedException {
    if (worker == Thread.currentThread()) {
      return false; // a reconciler that stops its own controller can't wait for itself
    }
    worker.join(Math.max(1, until(deadline).toMillis()));
    return !worker.isAlive();
  }

  private Duration until(long deadline) {
    return Duration.ofNanos(Math.max(0, deadline - scheduler.nanoTime()));
  }
}
