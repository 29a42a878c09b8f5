// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.keys.OwnedKeys;
import dev.windlass.controller.logging.ControllerLog;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.controller.settings.ReconcileSemaphore;
import dev.windlass.health.checks.Heartbeat;
import dev.windlass.leader.Fence;
import dev.windlass.scheduling.Deadline;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.workqueue.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Runs a controller from its start, with the manager, to its stop. Sources add requests to the
 * queue. The controller owns the keys of a shard during a term, which {@link #acquire} begins and
 * {@link #cancel} ends. Workers process the queue while there is any term, after all initial
 * sources have synced and added their requests. A shard that is acquired later gets its requests
 * from a {@link Replay}. Without leader election, there is one term, from the start to the stop.
 */
public final class ControllerRun {

  public static final String HELD_UP =
      "a reconcile from before the last loss of the lease is still running; no other starts until"
          + " it returns";

  /** The time that is left to a reconcile at a stop, after its interrupt, to return: 2 s. */
  static final Duration TO_RETURN = Duration.ofSeconds(2);

  /** The number of workers that shutdown names if they do not return: 10. */
  private static final int NAMED = 10;

  /** The time in which an interrupted thread ends, unless it ignores the interrupt: 10 ms. */
  private static final Duration MOMENT = Duration.ofMillis(10);

  private static final Logger log = ControllerLog.get();

  private final ControllerConfig config;
  private final Scheduler scheduler;
  private final OwnedKeys keys;
  private final Watchdog watchdog;
  private final Workers workers;
  private final BackgroundTasks sourceTasks;
  private final Replay replay;

  /** The cancellation actions of the reconciles of each shard. */
  private final List<BackgroundTasks> cancellations = new ArrayList<>();

  /** The context of the writes for each shard. */
  private final List<WriterContext> writes = new ArrayList<>();

  /** Guards the order of what begins and ends terms. */
  private final Object ownership = new Object();

  @GuardedBy("this")
  private final List<SourceRunner> runners = new ArrayList<>();

  /** The initial sources, for which the workers wait. */
  private final List<SourceRunner> awaited = new CopyOnWriteArrayList<>();

  @GuardedBy("this")
  private int numbers;

  @GuardedBy("this")
  private boolean open;

  /** The loop that makes the controller ready; null before the controller is started. */
  private volatile @Nullable Loop starter;

  /** The last term in which the workers could process the queue. */
  private volatile long readyTerm = OwnedKeys.NONE;

  private volatile @Nullable String failure;
  private volatile boolean stopping;

  public ControllerRun(ControllerConfig config) {
    this.config = config;
    this.scheduler = config.scheduler();
    this.keys = new OwnedKeys(config);
    this.watchdog = new Watchdog(config);
    this.workers = new Workers(config, () -> new Worker(config, this));
    this.sourceTasks = new BackgroundTasks(config);
    this.replay = new Replay(config, this);
    for (Fence fence : config.leading().fences()) {
      cancellations.add(new BackgroundTasks(config));
      writes.add(
          new WriterContext(
              config.name(), config.options().formerFieldOwners, fence, config.lookup()::made));
    }
    keys.queue().setOpen(false);
    keys.whenAdded(this::startWorkers);
    for (Source source : config.sources()) {
      awaited.add(add(source));
    }
  }

  public OwnedKeys keys() {
    return keys;
  }

  public Watchdog watchdog() {
    return watchdog;
  }

  public Workers workers() {
    return workers;
  }

  /** Returns the threads that run the cancellation actions of a request's reconcile. */
  BackgroundTasks cancellations(Request request) {
    return cancellations.get(config.leading().shardOf(request));
  }

  /** Returns the threads that start and stop sources. */
  BackgroundTasks sourceTasks() {
    return sourceTasks;
  }

  /** Returns the context for a reconcile's writes: the field owner, the fence and the observers. */
  WriterContext writes(Request request) {
    WriterContext shared = writes.get(config.leading().shardOf(request));
    WriterContext own = shared.blockedBy(object -> config.lookup().blocked(request, object));
    return config.options().ignoreOwnEvents ? own.observedBy(keys.ownWrites(request)) : own;
  }

  /**
   * Waits for a permit if this controller shares a limit on concurrent reconciles.
   *
   * @return the permit, or null if there is no limit
   */
  ReconcileSemaphore.@Nullable Permit permit(Request request) throws InterruptedException {
    ReconcileSemaphore limit = config.options().limit;
    return limit == null ? null : limit.await(() -> !keys.owns(request));
  }

  /**
   * Returns whether a reconcile may start: the controller owns the request's key, and the fence is
   * open. The fence is open while this replica holds the lease. If leadership is not required, it
   * is always open.
   */
  boolean mayBegin(Request request) {
    return keys.owns(request) && config.leading().fence(request).holds();
  }

  private void startWorkers() {
    if (!workers.haveStarted()) {
      wakeStarter();
    }
  }

  /** Lets another worker take the place of one that has ended with the term of its reconcile. */
  void workerEnded() {
    workers.ended();
    wakeStarter();
  }

  void wakeStarter() {
    Loop loop = starter;
    if (loop != null) {
      loop.wake();
    }
  }

  /**
   * Starts or warms up the sources on separate threads, unless this has been done. Does not block.
   */
  public void open() {
    requireNotStopped();
    synchronized (this) {
      if (open) {
        return;
      }
      open = true;
    }
    log.info("Starting {} controller", config.kind());
    log.info("Waiting for informer caches to sync");
    Loop loop = new Loop(config.name() + "-starter", this::step, scheduler, config.threads());
    loop.start();
    starter = loop; // from now on, its health is checked
    loop.wake();
  }

  private void requireNotStopped() {
    if (stopping) {
      throw new IllegalStateException(
          "controller " + config.name() + " has stopped; register it with another manager");
    }
  }

  /**
   * Begins a term of a shard. The workers start as soon as the sources have synced. Does not block.
   */
  public void acquire(int shard) {
    requireNotStopped();
    synchronized (ownership) {
      if (keys.areOwned()) {
        replay.add(shard);
      }
      keys.begin(shard);
    }
    open();
    wakeStarter();
  }

  /**
   * Adds a source. The workers do not wait for it to sync, unless it is one of the configuration.
   * If the controller has not been started yet, the source starts with it. If it is stopping, the
   * source does not start.
   */
  public SourceRunner add(Source source) {
    synchronized (this) {
      SourceRunner runner = new SourceRunner(config, source, ++numbers, this, null);
      if (stopping) {
        runner.stop();
      } else {
        runners.add(runner);
        wakeStarter();
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

  synchronized List<SourceRunner> runners() {
    return List.copyOf(runners);
  }

  private Stream<SourceRunner> allRunners() {
    return Stream.concat(runners().stream(), replay.runners().stream());
  }

  /**
   * Performs one step of the loop that runs the sources, and makes the controller ready in a term
   * as soon as the awaited sources have synced and added their initial requests. Unless it is
   * sharded, it also waits until no worker of an earlier term is still processing a key. The worker
   * threads start with the first key.
   */
  private StepDelay step() {
    if (stopping) {
      return StepDelay.UNTIL_WOKEN;
    }
    long term = keys.term();
    Duration next = SourceRunner.NEVER;
    for (SourceRunner runner : runners()) {
      Duration own = runner.step();
      next = own.compareTo(next) < 0 ? own : next;
    }
    failIfOverdue();
    boolean complete = awaited.stream().allMatch(SourceRunner::isComplete);
    if (complete) {
      Duration own = replay.step();
      next = own.compareTo(next) < 0 ? own : next;
    }
    if (term != OwnedKeys.NONE && readyTerm != term) {
      if (!complete) {
        return delay(next);
      }
      if (!config.leading().isSharded() && !workers.alive().isEmpty()) {
        return StepDelay.of(SourceRunner.SYNC_POLL);
      }
      log.atInfo().addKeyValue("controller", config.name()).log("Starting workers");
      workers.renew();
      keys.openQueue(term);
      readyTerm = term;
      log.atInfo().addKeyValue("controller", config.name()).log("Started workers");
    }
    WorkQueue.Status queue = keys.queue().status();
    if (queue.length() + queue.delayed() > 0 || workers.areStarting()) {
      workers.start();
    }
    return delay(next);
  }

  private static StepDelay delay(Duration next) {
    return next.equals(SourceRunner.NEVER) ? StepDelay.UNTIL_WOKEN : StepDelay.of(next);
  }

  private void failIfOverdue() {
    if (!config.options().failOnSyncTimeout || failure != null) {
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

  /** Returns whether the controller has been started and does not stop. */
  public synchronized boolean isOpen() {
    return open && !stopping;
  }

  /** Returns whether reconciles can start. */
  public boolean isReady() {
    long term = keys.term();
    return term != OwnedKeys.NONE && readyTerm == term;
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
    allRunners()
        .forEach(runner -> runner.problem().ifPresent(t -> problems.put(runner.source(), t)));
    return problems;
  }

  /**
   * Returns whether reconciles of an earlier term are still running, so that none of this term can
   * start. A sharded controller is never held up, because such a reconcile keeps its shard only.
   */
  public boolean isHeldUp() {
    return !config.leading().isSharded() && !isReady() && !watchdog.active().isEmpty();
  }

  /**
   * Returns the heartbeats that the liveness check monitors. These are the heartbeat of the loop
   * that starts the workers, and the heartbeats of the sources' loops.
   */
  public List<Heartbeat> heartbeats() {
    List<Heartbeat> heartbeats = new ArrayList<>();
    Stream.ofNullable(starter).map(Heartbeat::of).forEach(heartbeats::add);
    allRunners().forEach(runner -> heartbeats.addAll(runner.heartbeats()));
    return heartbeats;
  }

  /** Returns all problems in one sentence, or empty if there are none. */
  public Optional<String> problem() {
    Stream<String> sources = allRunners().flatMap(runner -> runner.problem().stream());
    Stream<String> stuck =
        watchdog.active().stream()
            .filter(ActiveReconcile::stuck)
            .map(a -> a + " has been stuck for " + a.elapsed().toSeconds() + " s");
    Stream<String> starting =
        Stream.ofNullable(starter)
            .flatMap(loop -> loop.lastFailure().stream())
            .map(t -> "the workers could not be started: " + t);
    Stream<String> before = isHeldUp() ? Stream.of(HELD_UP) : Stream.empty();
    String all =
        Stream.of(sources, stuck, starting, before)
            .flatMap(problems -> problems)
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  /** Ends all terms as {@link #cancel(int, Duration)} does. Does not block. */
  public void cancel(Duration limit) {
    for (int shard = 0; shard < config.leading().shards(); shard++) {
      cancel(shard, limit);
    }
  }

  /**
   * Ends the term of a shard: none of its reconciles starts any more, its requests are dropped from
   * the queue, and its running reconciles are cancelled. With the last term, sources whose requests
   * can be computed again stop. Does not block.
   *
   * @param limit the time within which {@link #standDown} or {@link #stop} must have completed. A
   *     reconcile that does not return in time is interrupted when {@link #TO_RETURN} of the limit
   *     remains, so that it can still return, but not in the first half of the limit. The time-out
   *     of a reconcile still applies, and may interrupt it earlier
   */
  public void cancel(int shard, Duration limit) {
    List<ActiveReconcile> unused = end(shard, limit);
  }

  /** Ends the term of a shard, and returns its reconciles that are running. */
  private List<ActiveReconcile> end(int shard, Duration limit) {
    boolean ends;
    synchronized (ownership) {
      boolean owned = keys.areOwned();
      if (!owned || keys.ownsOnly(shard)) {
        workers.stop(); // first, so that nobody misses those that end
      }
      keys.end(shard);
      ends = !keys.areOwned();
      if (owned && ends) {
        log.atInfo().addKeyValue("controller", config.name()).log("Shutting down workers");
      }
    }
    ReconcileSemaphore permits = config.options().limit;
    if (permits != null) {
      permits.wake();
    }
    List<ActiveReconcile> running =
        watchdog.active().stream()
            .filter(active -> config.leading().shardOf(active.request()) == shard)
            .toList();
    running.forEach(ActiveReconcile::cancel);
    List<ActiveReconcile> left = watchdog.interruptWithin(patience(limit), running);
    if (ends) {
      replay.end();
      runners().forEach(SourceRunner::lose);
    }
    return left;
  }

  /**
   * Ends the term of a shard as {@link #cancel} does, and waits for its reconciles. The controller
   * can begin another term of it later.
   *
   * @return whether the reconciles and their cancellation actions have ended
   */
  public boolean standDown(int shard, Duration limit) throws InterruptedException {
    Deadline deadline = Deadline.in(limit, scheduler);
    List<ActiveReconcile> running = end(shard, limit);
    return config.leading().isSharded()
        ? joinReconciles(
            deadline,
            running.stream().map(ActiveReconcile::thread).toList(),
            running,
            List.of(cancellations.get(shard)))
        : joinReconciles(deadline);
  }

  /**
   * Stops the controller and waits for its threads to terminate. If this method returns false, call
   * it again to continue waiting.
   *
   * @return whether all threads have terminated
   */
  public boolean stop(Duration limit) throws InterruptedException {
    Deadline deadline = Deadline.in(limit, scheduler);
    stopping = true;
    keys.close();
    cancel(limit);
    keys.queue().shutDown();
    Loop loop = starter;
    if (loop != null) {
      loop.stop();
    }
    allRunners().forEach(SourceRunner::stop);
    try {
      boolean ended = joinReconciles(deadline);
      ended &= loop == null || loop.join(deadline.left());
      return sourceTasks.join(deadline) && ended;
    } finally {
      watchdog.close();
    }
  }

  private boolean joinReconciles(Deadline deadline) throws InterruptedException {
    return joinReconciles(deadline, workers.alive(), watchdog.active(), cancellations);
  }

  private boolean joinReconciles(
      Deadline deadline,
      List<Thread> threads,
      List<ActiveReconcile> running,
      List<BackgroundTasks> actions)
      throws InterruptedException {
    try {
      boolean ended = joinWorkers(deadline, threads, running);
      for (BackgroundTasks tasks : actions) {
        ended &= tasks.join(deadline);
      }
      return ended;
    } finally {
      watchdog.interrupt(running); // in case the waiting thread was interrupted
    }
  }

  /**
   * Returns the time for which shutdown waits before it interrupts reconciles. This is the limit
   * minus {@link #TO_RETURN}, but at least half of the limit.
   */
  private static Duration patience(Duration limit) {
    Duration half = limit.dividedBy(2);
    Duration most = limit.minus(TO_RETURN);
    return most.compareTo(half) < 0 ? half : most;
  }

  private boolean joinWorkers(
      Deadline deadline, List<Thread> threads, List<ActiveReconcile> reconciles)
      throws InterruptedException {
    Deadline patient = Deadline.in(patience(deadline.left()), scheduler);
    for (Thread worker : threads) {
      join(worker, patient, Duration.ZERO);
    }
    watchdog.interrupt(reconciles);
    List<String> running = new ArrayList<>();
    for (Thread worker : threads) {
      // Interrupted threads need a moment to end, even if the deadline has passed.
      if (!join(worker, deadline, running.size() < NAMED ? MOMENT : Duration.ZERO)) {
        running.add(worker.getName());
      }
    }
    if (!running.isEmpty()) {
      log.warn(
          "{}: Still running although cancelled and interrupted, {} in all: {}",
          config.name(),
          running.size(),
          running.subList(0, Math.min(NAMED, running.size())));
    }
    return running.isEmpty();
  }

  /**
   * Waits for a worker until the deadline, or for at least the given time. The caller limits the
   * number of workers with such a time: 1 ms for each of thousands would exceed the shutdown limit.
   */
  private boolean join(Thread worker, Deadline deadline, Duration atLeast)
      throws InterruptedException {
    if (worker == Thread.currentThread()) {
      return false; // a reconciler that stops its own controller can't wait for itself
    }
    long rest = Math.max(deadline.left().toMillis(), atLeast.toMillis());
    if (rest > 0) {
      worker.join(rest);
    }
    return !worker.isAlive();
  }
}
