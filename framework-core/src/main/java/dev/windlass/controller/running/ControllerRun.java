// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.logging.ControllerLog;
import dev.windlass.health.checks.Heartbeat;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
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

/**
 * One run of a controller, from startup to the following shutdown. Sources add requests to the
 * queue. Workers process the queue after all initial sources have synced and this replica is no
 * longer a standby replica.
 */
public final class ControllerRun {

  public static final String OUTLASTING =
      "a reconcile from before the last stop is still running; no other starts until it returns";

  /** The time after which shutdown stops waiting for reconciles that it has interrupted: 2 s. */
  static final Duration GRACE = Duration.ofSeconds(2);

  /** The number of workers that shutdown names if they do not return: 10. */
  private static final int NAMED = 10;

  /** The time in which an interrupted thread ends, unless it ignores the interrupt: 10 ms. */
  private static final Duration MOMENT = Duration.ofMillis(10);

  private static final Logger log = ControllerLog.get();

  private final ControllerConfig config;
  private final Scheduler scheduler;
  private final BooleanSupplier someOutlast;
  private final StartedSources startedSources;
  private final RunContext state;
  private final Loop starter;

  /** All sources of this run. */
  @GuardedBy("this")
  private final List<SourceRunner> runners = new ArrayList<>();

  /**
   * The initial sources, for which the workers wait. The list is complete before the starter
   * starts.
   */
  private final List<SourceRunner> awaited = new CopyOnWriteArrayList<>();

  /** The number of runners created so far. */
  @GuardedBy("this")
  private int numbers;

  private volatile boolean ready;
  private volatile @Nullable String failure;

  /**
   * Creates a run without starting it.
   *
   * @param someOutlast returns whether reconciles of an earlier run are still running; in this
   *     case, the workers must not start
   * @param startedSources the started sources of all the controller's runs
   */
  public ControllerRun(
      ControllerConfig config, BooleanSupplier someOutlast, StartedSources startedSources) {
    this.startedSources = startedSources;
    this.config = config;
    this.scheduler = config.scheduler();
    this.someOutlast = someOutlast;
    this.state = new RunContext(config);
    this.starter =
        new Loop(config.name() + "-starter", this::awaitSources, scheduler, config.threads());
  }

  public RunContext state() {
    return state;
  }

  /**
   * Starts the initial sources on separate threads. On a standby replica, warms them up instead.
   * The workers wait for these sources to sync. This method does not block.
   */
  public void begin(List<Source> sources, boolean standby) {
    if (!standby) {
      state.intake().release();
    }
    log.info("Starting {} controller", config.kind());
    for (Source source : sources) {
      awaited.add(add(source));
    }
    log.info("Waiting for informer caches to sync");
    starter.start();
  }

  /** Rolls back a failed start. This method does not block. */
  public void abandon() {
    state.stop();
    state.workers().stop();
    starter.stop();
    closeQueueAndSources();
  }

  /**
   * Ends the standby state. The controller calls this method when this replica has become the
   * leader. The workers start as soon as the sources have synced.
   */
  public void release() {
    state.intake().release();
    runners().forEach(SourceRunner::release);
    starter.wake();
  }

  public boolean isReleased() {
    return state.intake().isReleased();
  }

  /**
   * Starts an additional source. The workers do not wait for it to sync. If shutdown has begun,
   * this method does not start the source.
   */
  public SourceRunner add(Source source) {
    synchronized (this) {
      SourceRunner runner =
          new SourceRunner(config, source, ++numbers, state, startedSources, starter::wake);
      if (state.isStopping()) {
        runner.stop();
      } else {
        runner.begin();
        runners.add(runner);
      }
      return runner;
    }
  }

  /** Stops the given source. After this method has returned, the source does not add requests. */
  public void remove(SourceRunner runner) {
    synchronized (this) {
      runners.remove(runner);
    }
    runner.close();
  }

  private synchronized List<SourceRunner> runners() {
    return List.copyOf(runners);
  }

  /**
   * Performs one step of the loop that starts the workers. The workers start when the following
   * conditions are met: the awaited sources have synced and added their initial requests, this
   * replica is not a standby replica, and no reconcile of an earlier run is still running.
   */
  private StepDelay awaitSources() {
    if (ready || state.isStopping()) {
      return StepDelay.UNTIL_WOKEN;
    }
    if (!hasSynced()) {
      failIfOverdue();
      return StepDelay.of(SourceRunner.SYNC_POLL);
    }
    if (!isReleased()) {
      return StepDelay.UNTIL_WOKEN;
    }
    if (!awaited.stream().allMatch(SourceRunner::isComplete)) {
      failIfOverdue();
      return StepDelay.of(SourceRunner.SYNC_POLL);
    }
    // An earlier run may still be processing keys, which this run must not process concurrently.
    if (someOutlast.getAsBoolean()) {
      return StepDelay.of(SourceRunner.SYNC_POLL);
    }
    log.atInfo().addKeyValue("controller", config.name()).log("Starting workers");
    state.workers().start();
    ready = true;
    log.atInfo().addKeyValue("controller", config.name()).log("Started workers");
    return StepDelay.UNTIL_WOKEN;
  }

  private void failIfOverdue() {
    if (!config.options().failOnSyncTimeout() || failure != null) {
      return;
    }
    String causes =
        awaited.stream()
            .filter(SourceRunner::isOverdue)
            .flatMap(runner -> runner.problem().stream())
            .collect(Collectors.joining("; "));
    if (!causes.isEmpty()) {
      failure = "its sources have not synced in time: " + causes;
      log.error("{} failed: {}", config.name(), failure);
      config.onFailure().accept(new IllegalStateException(config.name() + ": " + failure));
    }
  }

  /** Returns whether the workers are running and shutdown has not begun. */
  public boolean isReady() {
    return ready && !state.isStopping(); // the starter may set ready after a stop has begun
  }

  /** Returns whether all awaited sources have synced. */
  public boolean hasSynced() {
    return awaited.stream().allMatch(SourceRunner::hasSynced);
  }

  /** Returns the names of the awaited sources that have not synced. */
  public List<String> unsynced() {
    return awaited.stream().filter(s -> !s.hasSynced()).map(SourceRunner::source).toList();
  }

  /**
   * Returns the current problems of all sources, keyed by the name of the source. A source that has
   * synced can also have a problem.
   */
  public Map<String, String> sourceProblems() {
    Map<String, String> problems = new TreeMap<>();
    runners().forEach(runner -> runner.problem().ifPresent(t -> problems.put(runner.source(), t)));
    return problems;
  }

  /**
   * Returns whether this run cannot start its workers because reconciles of an earlier run are
   * still running.
   */
  public boolean isHeldUp() {
    return !isReady() && someOutlast.getAsBoolean();
  }

  /**
   * Returns the heartbeats that the liveness check monitors. These are the heartbeat of the loop
   * that starts the workers, and the heartbeats of the sources' loops.
   */
  public List<Heartbeat> heartbeats() {
    List<Heartbeat> heartbeats = new ArrayList<>(List.of(Heartbeat.of(starter)));
    runners().forEach(runner -> heartbeats.addAll(runner.heartbeats()));
    return heartbeats;
  }

  /** Returns all problems in one sentence, or empty if there are none. */
  public Optional<String> problem() {
    Stream<String> sources = runners().stream().flatMap(runner -> runner.problem().stream());
    Stream<String> stuck =
        state.watchdog().active().stream()
            .filter(ActiveReconcile::stuck)
            .map(a -> a + " has been stuck for " + a.elapsed().toSeconds() + " s");
    Stream<String> starting =
        starter.lastFailure().stream().map(t -> "the workers could not be started: " + t);
    Stream<String> before = someOutlast.getAsBoolean() ? Stream.of(OUTLASTING) : Stream.empty();
    String all =
        Stream.of(sources, stuck, starting, before)
            .flatMap(problems -> problems)
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  /**
   * Stops the run and waits for its threads to terminate. A reconcile that does not return in time
   * is interrupted when {@link #GRACE} of the limit remains, so that it can still return within the
   * limit. However, shutdown does not interrupt reconciles in the first half of the limit. The
   * time-out of a reconcile still applies, and may interrupt it earlier. If this method returns
   * false, call it again to continue waiting.
   *
   * @return whether all threads of the run have terminated
   */
  public boolean end(Duration limit) throws InterruptedException {
    long deadline = scheduler.nanoTime() + Scheduler.saturatedNanos(limit);
    cancel(limit);
    starter.stop();
    closeQueueAndSources();
    try {
      boolean ended = joinWorkers(deadline);
      ended &= starter.join(until(deadline));
      for (SourceRunner runner : runners()) {
        ended &= runner.join(until(deadline));
      }
      ended &= state.errands().join(deadline);
      return ended;
    } finally {
      state.watchdog().interruptAll(); // in case the waiting thread was interrupted
      state.watchdog().close();
    }
  }

  /**
   * Prevents further reconciles from starting, and cancels running reconciles.
   *
   * @param limit the maximum duration of the subsequent shutdown
   */
  public void cancel(Duration limit) {
    if (!state.isStopping()) {
      log.atInfo().addKeyValue("controller", config.name()).log("Shutting down workers");
    }
    state.stop();
    state.watchdog().interruptWithin(patience(limit));
    state.workers().stop();
  }

  /**
   * Returns the time for which shutdown waits before it interrupts reconciles. This is the limit
   * minus {@link #GRACE}, but at least half of the limit.
   */
  private static Duration patience(Duration limit) {
    Duration half = limit.dividedBy(2);
    Duration most = limit.minus(GRACE);
    return most.compareTo(half) < 0 ? half : most;
  }

  private boolean joinWorkers(long deadline) throws InterruptedException {
    long patient = scheduler.nanoTime() + Scheduler.saturatedNanos(patience(until(deadline)));
    List<Thread> workers = state.workers().alive();
    for (Thread worker : workers) {
      join(worker, patient, Duration.ZERO);
    }
    state.watchdog().interruptAll();
    List<String> running = new ArrayList<>();
    for (Thread worker : workers) {
      // Interrupted threads need a moment to end, even if the deadline has passed.
      if (!join(worker, deadline, running.size() < NAMED ? MOMENT : Duration.ZERO)) {
        running.add(worker.getName());
      }
    }
    running.stream()
        .limit(NAMED)
        .forEach(
            name ->
                log.warn(
                    "{} is still running although its reconcile was cancelled and interrupted",
                    name));
    if (running.size() > NAMED) {
      log.warn("{} more workers are still running", running.size() - NAMED);
    }
    return running.isEmpty();
  }

  /**
   * Returns whether reconciles of this run are still running. If so, no other run may reconcile
   * their objects.
   */
  public boolean holdsKeys() {
    return !state.workers().alive().isEmpty();
  }

  /** Returns whether any thread of this run is still alive. */
  public boolean outlasts() {
    return holdsKeys()
        || starter.isRunning()
        || !state.errands().isIdle()
        || runners().stream().anyMatch(SourceRunner::isRunning);
  }

  private void closeQueueAndSources() {
    state.queue().shutDown();
    runners().forEach(SourceRunner::stop);
  }

  /**
   * Waits for a worker until the deadline, or for at least the given time. The caller limits the
   * number of workers with such a time: 1 ms for each of thousands would exceed the shutdown limit.
   */
  private boolean join(Thread worker, long deadline, Duration atLeast) throws InterruptedException {
    if (worker == Thread.currentThread()) {
      return false; // a reconciler that stops its own controller can't wait for itself
    }
    long rest = Math.max(until(deadline).toMillis(), atLeast.toMillis());
    if (rest > 0) {
      worker.join(rest);
    }
    return !worker.isAlive();
  }

  private Duration until(long deadline) {
    return Duration.ofNanos(Math.max(0, deadline - scheduler.nanoTime()));
  }
}
