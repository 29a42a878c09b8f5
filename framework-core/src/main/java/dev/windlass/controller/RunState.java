// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.enqueue.Cause;
import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.leader.Fence;
import dev.windlass.workqueue.Priority;
import dev.windlass.workqueue.WorkQueue;

/** What the workers of one run of a controller share. */
final class RunState {

  private final WorkQueue<Request> queue;
  private final Watchdog watchdog;
  private final Workers workers;
  private final Errands errands;
  private final Reasons reasons = new Reasons();
  private final FailureBook failures;
  private final LoopGuard loops;
  private final Fence fence;
  private final ConcurrencyLimit limit;
  private final Pace pace;
  private final StandbyRequests standby = new StandbyRequests(new IntoQueue());
  private volatile boolean stopping;

  RunState(ControllerConfig config) {
    queue = WorkQueue.create(config.queue());
    workers = new Workers(config, () -> new Worker(config, this));
    watchdog = new Watchdog(config, this::replace);
    loops = new LoopGuard(config);
    failures = new FailureBook(config.scheduler());
    errands = new Errands(config);
    fence = config.leading().fence();
    limit = config.options().limit();
    pace = new Pace(config.options().minimumInterval(), config.scheduler());
  }

  /** A stop needs no more workers. */
  private void replace(ActiveReconcile stuck) {
    if (!stopping) {
      workers.replace(stuck);
    }
  }

  WorkQueue<Request> queue() {
    return queue;
  }

  Watchdog watchdog() {
    return watchdog;
  }

  Workers workers() {
    return workers;
  }

  Reasons reasons() {
    return reasons;
  }

  FailureBook failures() {
    return failures;
  }

  LoopGuard loops() {
    return loops;
  }

  Pace pace() {
    return pace;
  }

  Errands errands() {
    return errands;
  }

  /** What stands before the queue until this run may reconcile. */
  StandbyRequests standby() {
    return standby;
  }

  /** Puts requests into the queue, and their reasons beside it. */
  private final class IntoQueue implements PrioritySink {

    @Override
    public void add(Request request, Priority priority) {
      add(request, priority, Cause.UNKNOWN);
    }

    @Override
    public void add(Request request, Priority priority, Cause cause) {
      reasons.add(request, cause); // before, or it might be taken without
      queue.add(request, priority);
    }
  }

  /** Whether a reconcile may begin: there was no stop, and this replica leads, if one must. */
  boolean mayBegin() {
    return !stopping && fence.holds();
  }

  /** Whether there was a stop. */
  boolean isStopping() {
    return stopping;
  }

  /** Nothing begins any more, and what runs is asked to come to an end. */
  void stop() {
    stopping = true;
    limit.wake();
    watchdog.active().forEach(ActiveReconcile::cancel);
  }
}
