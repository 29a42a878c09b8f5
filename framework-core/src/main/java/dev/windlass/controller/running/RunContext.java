// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.client.WriterContext;
import dev.windlass.controller.logging.SafeListener;
import dev.windlass.controller.loopdetection.LoopDetector;
import dev.windlass.controller.loopdetection.ObjectLookup;
import dev.windlass.controller.loopdetection.QueueReasons;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.leader.Fence;
import dev.windlass.workqueue.WorkQueue;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the workers and sources of one controller run share. They include the queue, the
 * worker threads, the watchdog, and the limits.
 */
public final class RunContext {

  private final WorkQueue<Request> queue;
  private final Watchdog watchdog;
  private final Workers workers;
  private final BackgroundTasks errands;
  private final QueueReasons reasons = new QueueReasons();
  private final RecentFailures failures;
  private final LoopDetector loops;
  private final Fence fence;
  private final ObjectLookup lookup;
  private final WriterContext writes;
  private final @Nullable OwnEvents ownEvents;
  private final @Nullable ReconcileSemaphore limit;
  private final @Nullable MinimumInterval pace;
  private final RequestIntake intake;
  private volatile boolean stopping;

  public RunContext(ControllerConfig config) {
    queue = WorkQueue.create(config.queue());
    workers = new Workers(config, () -> new Worker(config, this));
    watchdog = new Watchdog(config);
    loops =
        new LoopDetector(
            config.name(),
            config.options().loopDetection(),
            config.lookup(),
            config.listener(),
            config.scheduler());
    failures = new RecentFailures(config.scheduler());
    errands = new BackgroundTasks(config);
    fence = config.leading().fence();
    lookup = config.lookup();
    writes =
        new WriterContext(
            config.name(), config.options().formerFieldOwners(), fence, config.lookup()::made);
    ownEvents =
        config.options().ignoreOwnEvents()
            ? new OwnEvents(request -> ignored(config.listener(), request))
            : null;
    intake = new RequestIntake(queue, reasons, ownEvents);
    limit = config.options().limit();
    Duration interval = config.options().minimumInterval();
    pace = interval.isZero() ? null : new MinimumInterval(interval, config.scheduler());
  }

  public WorkQueue<Request> queue() {
    return queue;
  }

  public Watchdog watchdog() {
    return watchdog;
  }

  public Workers workers() {
    return workers;
  }

  public QueueReasons reasons() {
    return reasons;
  }

  public RecentFailures failures() {
    return failures;
  }

  /**
   * Returns the context for a reconcile's writes. It contains the field owner, the fence and the
   * observers.
   */
  WriterContext writes(Request request) {
    WriterContext own = writes.blockedBy(object -> lookup.blocked(request, object));
    return ownEvents == null ? own : own.observedBy(ownEvents.of(request));
  }

  /**
   * Returns the number of the controller's own events that were ignored for a request since its
   * last reconcile.
   */
  int takeIgnored(Request request) {
    return ownEvents == null ? 0 : ownEvents.takeIgnored(request);
  }

  private static void ignored(ControllerListener listener, Request request) {
    SafeListener.safely(listener, l -> l.ownEventIgnored(request));
  }

  /**
   * Returns the time that a request must wait, or zero if it may run now. A request must wait if
   * its last run started too recently, or if it is in a loop.
   */
  Duration hold(Request request, List<Object> reasons) {
    Duration hold = pace == null ? Duration.ZERO : pace.hold(request);
    return hold.isZero() ? loops.hold(request, reasons) : hold;
  }

  /**
   * Waits for a permit if this controller shares a limit on concurrent reconciles.
   *
   * @return the permit, or null if there is no limit
   */
  ReconcileSemaphore.@Nullable Permit permit() throws InterruptedException {
    return limit == null ? null : limit.await(this::isStopping);
  }

  /** Records that a reconcile of the given request starts now. */
  void begin(Request request) {
    if (pace != null) {
      pace.begin(request);
    }
  }

  BackgroundTasks errands() {
    return errands;
  }

  /**
   * Returns the sink for the sources' requests. The sink keeps the requests until this run may
   * start reconciles, and then puts them into the queue.
   */
  RequestIntake intake() {
    return intake;
  }

  /**
   * Returns whether a reconcile may start. This requires that shutdown has not begun and that the
   * fence is open. The fence is open while this replica is the leader. If leadership is not
   * required, the fence is always open.
   */
  boolean mayBegin() {
    return !stopping && fence.holds();
  }

  /** Returns whether shutdown has begun. */
  public boolean isStopping() {
    return stopping;
  }

  /** Prevents new reconciles from starting and cancels running reconciles. */
  void stop() {
    stopping = true;
    intake.close();
    if (limit != null) {
      limit.wake();
    }
    watchdog.active().forEach(ActiveReconcile::cancel);
  }
}
