// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reporting.SafeListener;
import dev.windlass.controller.reporting.SafeLog;
import dev.windlass.object.OneLine;
import dev.windlass.workqueue.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.MDC;

/**
 * Takes requests from the queue to the reconciler, one after the other, and leaves it to {@link
 * Verdict} what becomes of them. They are queued again before they are given back, so nothing can
 * come between.
 */
public final class Worker implements Runnable {

  /** When a request is tried again that could not even be begun. */
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final ControllerConfig config;
  private final RunState run;
  private final Verdict verdict;

  public Worker(ControllerConfig config, RunState run) {
    this.config = config;
    this.run = run;
    this.verdict = new Verdict(config, run);
  }

  /** Works until the queue is shut down, or until another worker has taken this one's place. */
  @Override
  public void run() {
    boolean goesOn = true;
    while (goesOn) {
      try {
        Optional<WorkItem<Request>> next = run.queue().take();
        goesOn = next.isPresent() && process(next.get());
      } catch (InterruptedException e) {
        // A stop that lost its patience interrupts us, and has shut the queue down before. Any
        // other interrupt was left behind by a reconciler and must not cost us a worker.
      } catch (Throwable t) {
        SafeLog.error("{}: a worker failed outside of a reconcile; it goes on", config.name(), t);
      }
    }
  }

  /** Works on what is ready now, if anything is. For tests, which own the thread. */
  public boolean step() {
    Optional<WorkItem<Request>> next = run.queue().poll();
    next.ifPresent(this::process);
    return next.isPresent();
  }

  /** Whether this worker is to go on. */
  private boolean process(WorkItem<Request> taken) {
    try (WorkItem<Request> item = taken) {
      if (!run.mayBegin()) {
        putBack(item);
        return true;
      }
      if (!config.tools().accepts(item.key())) { // of a namespace that was removed
        run.queue().forget(item.key());
        run.reasons().take(item.key());
        return true;
      }
      boolean done = false;
      try {
        boolean goesOn = holdOrWork(item);
        done = true;
        return goesOn;
      } finally {
        if (!done) { // something beside the reconcile failed, and the request must not be lost
          run.queue().addAfter(item.key(), AFTER_FAILURE, item.priority());
        }
      }
    }
  }

  /**
   * Queues what must not begin now again. After a stop that is lost with the queue, and the next
   * start sees every object anyway; but a fence may be closed long before anybody says stop.
   */
  private void putBack(WorkItem<Request> item) {
    if (!run.isStopping()) {
      run.queue().addAfter(item.key(), AFTER_FAILURE, item.priority());
    }
  }

  private boolean holdOrWork(WorkItem<Request> item) {
    List<Object> reasons = run.reasons().take(item.key());
    Duration hold = run.pace().hold(item.key());
    if (hold.isZero()) {
      hold = run.loops().hold(item.key(), reasons);
    }
    if (!hold.isZero()) {
      run.reasons().putBack(item.key(), reasons);
      run.queue().addAfter(item.key(), hold, item.priority());
      return true;
    }
    try (Turns.Turn turn = config.options().limit().await(run::isStopping)) {
      return config.writes().get(() -> work(item, reasons, turn));
    } catch (InterruptedException e) { // left behind by a reconciler, or a stop's
      run.reasons().putBack(item.key(), reasons);
      putBack(item);
      return true;
    }
  }

  private boolean work(WorkItem<Request> item, List<Object> reasons, Turns.Turn turn) {
    ActiveReconcile active = active(item, reasons, turn);
    boolean replaced;
    try {
      run.watchdog().began(active);
      if (run.mayBegin()) { // a stop that comes from now on finds it, and cancels it
        run.pace().begin(item.key());
        Outcome outcome = reconcile(item, active);
        Duration took = active.elapsed();
        SafeListener.safely(config.listener(), l -> l.reconciled(item.key(), outcome, took));
      } else {
        run.reasons().putBack(item.key(), reasons);
        putBack(item);
      }
    } finally {
      active.end();
      run.watchdog().ended(active);
      replaced = run.workers().wasReplaced(active);
      MDC.clear();
      Thread.interrupted(); // whoever it was meant for has returned
    }
    return !replaced;
  }

  private ActiveReconcile active(WorkItem<Request> item, List<Object> reasons, Turns.Turn turn) {
    Request request = item.key();
    String id = new UUID(config.random().nextLong(), config.random().nextLong()).toString();
    MDC.put("controller", config.name());
    if (!request.cluster().isEmpty()) {
      MDC.put("cluster", OneLine.of(request.cluster()));
    }
    MDC.put("namespace", OneLine.of(request.namespace()));
    MDC.put("name", OneLine.of(request.name()));
    MDC.put("reconcileId", id);
    return new ActiveReconcile(
        new ActiveReconcile.Circumstances(
            request,
            id,
            run.queue().retries(request),
            item.priority(),
            reasons,
            config.options().reconcileTimeout(),
            config.tools()),
        config.options().slowAfter(),
        config.scheduler(),
        run.errands(),
        turn::close);
  }

  private Outcome reconcile(WorkItem<Request> item, ActiveReconcile active) {
    Result result;
    try {
      result = config.reconciler().reconcile(item.key(), active);
      if (result == null) {
        throw new IllegalStateException(
            "the reconciler of the controller "
                + config.name()
                + " returned null; it must return Result.done() or another result");
      }
    } catch (Throwable t) {
      // The root of user code: whatever it was, others go on.
      return verdict.failed(item.key(), t, active);
    }
    return verdict.returned(item.key(), result, active);
  }
}
