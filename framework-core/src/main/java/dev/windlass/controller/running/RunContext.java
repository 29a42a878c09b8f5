// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.client.WriterContext;
import dev.windlass.controller.loopdetection.LoopDetector;
import dev.windlass.controller.loopdetection.ObjectLookup;
import dev.windlass.controller.loopdetection.RunHistory;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.leader.Fence;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.workqueue.RecordingWorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the workers and sources of a controller share: the queue, the worker threads, the watchdog,
 * the limits, and whether the controller owns its keys.
 */
public final class RunContext {

  /**
   * A failing request.
   *
   * @param request the request
   * @param error a description of the last exception
   * @param times the number of consecutive failures
   * @param failing the time since the first of them
   * @param ago the time since the last of them
   */
  public record Failure(Request request, String error, int times, Duration failing, Duration ago) {}

  private final RecordingWorkQueue<Request, KeyState> queue;
  private final Watchdog watchdog;
  private final Workers workers;
  private final BackgroundTasks errands;
  private final BackgroundTasks sourceErrands;
  private final Scheduler scheduler;
  private final Fence fence;
  private final ObjectLookup lookup;
  private final WriterContext writes;
  private final @Nullable LoopDetector loops;
  private final @Nullable ReconcileSemaphore limit;
  private final boolean ignoresOwnEvents;
  private final boolean remembersRuns;
  private final RequestIntake intake;
  private volatile boolean stopping;

  public RunContext(ControllerConfig config) {
    ControllerOptions options = config.options();
    long interval = Scheduler.saturatedNanos(options.minimumInterval);
    queue = RecordingWorkQueue.create(config.queue(), () -> new KeyState(interval));
    workers = new Workers(config, () -> new Worker(config, this));
    watchdog = new Watchdog(config);
    errands = new BackgroundTasks(config);
    sourceErrands = new BackgroundTasks(config);
    scheduler = config.scheduler();
    fence = config.leading().fence();
    lookup = config.lookup();
    loops =
        options.loopDetection ? new LoopDetector(config.name(), lookup, config.listener()) : null;
    writes = new WriterContext(config.name(), options.formerFieldOwners, fence, lookup::made);
    intake = new RequestIntake(config, queue);
    ignoresOwnEvents = options.ignoreOwnEvents;
    remembersRuns = options.loopDetection || interval > 0;
    limit = options.limit;
  }

  public RecordingWorkQueue<Request, KeyState> queue() {
    return queue;
  }

  public Watchdog watchdog() {
    return watchdog;
  }

  public Workers workers() {
    return workers;
  }

  /** Returns all failing requests, in no particular order. */
  public List<Failure> failures() {
    long now = scheduler.nanoTime();
    List<Failure> all = new ArrayList<>();
    queue.forEach(
        (request, state) ->
            state
                .failures()
                .ifPresent(
                    failing ->
                        all.add(
                            new Failure(
                                request,
                                failing.error(),
                                failing.times(),
                                Duration.ofNanos(now - failing.since()),
                                Duration.ofNanos(now - failing.last())))));
    return all;
  }

  /**
   * Returns the context for a reconcile's writes. It contains the field owner, the fence and the
   * observers.
   */
  WriterContext writes(Request request) {
    WriterContext own = writes.blockedBy(object -> lookup.blocked(request, object));
    return ignoresOwnEvents ? own.observedBy(intake.ownWrites(request)) : own;
  }

  /** Returns the time that a request must wait, because its last run started too recently. */
  Duration hold(Request request) {
    return remembersRuns
        ? queue.record(request, KeyState::history).hold(scheduler.nanoTime())
        : Duration.ZERO;
  }

  /** Records that a reconcile starts now. */
  void begin(Request request, List<Object> reasons) {
    if (remembersRuns) {
      RunHistory history = queue.record(request, KeyState::history);
      history.run(scheduler.nanoTime());
      if (loops != null) {
        loops.evaluate(request, reasons, history);
      }
    }
  }

  /** Records a reason for the next run of a request, which the caller then queues. */
  void because(Request request, Object reason) {
    queue.update(request, state -> state.because(reason));
  }

  /**
   * Waits for a permit if this controller shares a limit on concurrent reconciles.
   *
   * @return the permit, or null if there is no limit
   */
  ReconcileSemaphore.@Nullable Permit permit() throws InterruptedException {
    return limit == null ? null : limit.await(() -> !ownsKeys());
  }

  /** Returns the threads that run the cancellation actions of reconciles. */
  BackgroundTasks errands() {
    return errands;
  }

  /** Returns the threads that start and stop sources. */
  BackgroundTasks sourceErrands() {
    return sourceErrands;
  }

  /** Returns the sink for the sources' requests. */
  RequestIntake intake() {
    return intake;
  }

  /**
   * Returns whether a reconcile may start: the controller owns its keys, and the fence is open. The
   * fence is open while this replica is the leader. If leadership is not required, it is always
   * open.
   */
  boolean mayBegin() {
    return ownsKeys() && fence.holds();
  }

  /** Returns whether the controller is in a term, in which it owns its keys. */
  public boolean ownsKeys() {
    return intake.term() != RequestIntake.NONE;
  }

  /**
   * Begins a term. The queue receives requests from now on, but stays closed until the sources have
   * added the requests for all objects that exist.
   *
   * @return the number of the term
   */
  public long begin() {
    watchdog.resume();
    return intake.begin();
  }

  /**
   * Ends the term: no reconcile starts any more, the queue is empty, and reconciles are cancelled.
   */
  void end() {
    intake.end();
    if (limit != null) {
      limit.wake();
    }
    watchdog.active().forEach(ActiveReconcile::cancel);
  }

  /**
   * Drops what a reconcile that has outlasted its term has requested, unless there is a new term.
   */
  void dropUnowned(Request request) {
    if (!ownsKeys()) {
      queue.drop(key -> !ownsKeys() && key.equals(request), KeyState::onlyKept);
    }
  }

  /** Returns whether the controller stops. */
  public boolean isStopping() {
    return stopping;
  }

  /** Ends the term for ever. */
  void stop() {
    stopping = true;
    intake.close();
    end();
  }
}
