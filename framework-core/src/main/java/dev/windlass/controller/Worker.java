// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.client.Conflicts;
import dev.windlass.controller.ControllerListener.Outcome;
import dev.windlass.controller.reconcile.ErrorPolicy;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.workqueue.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Takes requests from the queue to the reconciler, one after the other, and acts on the outcome.
 *
 * <p>What becomes of a request is decided in this order: an exception means try again after the
 * back-off; {@code requeueAfter} means again at that time, the back-off forgotten; {@code requeue}
 * means again after the back-off; otherwise the request is done and its back-off forgotten. It is
 * queued again before it is given back, so nothing can come between.
 */
final class Worker implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(Controller.class);

  /** How deep causes are looked at: they may form a circle. */
  private static final int MAX_CAUSES = 20;

  private final ControllerConfig config;
  private final RunState run;

  Worker(ControllerConfig config, RunState run) {
    this.config = config;
    this.run = run;
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
        log.error("{}: a worker failed outside of a reconcile; it goes on", config.name(), t);
      }
    }
  }

  /** Works on what is ready now, if anything is. For tests, which own the thread. */
  boolean step() {
    Optional<WorkItem<Request>> next = run.queue().poll();
    next.ifPresent(this::process);
    return next.isPresent();
  }

  /** Whether this worker is to go on. */
  private boolean process(WorkItem<Request> taken) {
    try (WorkItem<Request> item = taken) {
      if (run.isStopping()) {
        return true; // nothing begins after a stop; the next start sees every object anyway
      }
      List<Object> reasons = run.reasons().take(item.key());
      Duration hold = run.loops().hold(item.key(), reasons);
      if (!hold.isZero()) {
        run.reasons().putBack(item.key(), reasons);
        run.queue().addAfter(item.key(), hold, item.priority());
        return true;
      }
      return work(item, reasons);
    }
  }

  private boolean work(WorkItem<Request> item, List<Object> reasons) {
    ActiveReconcile active = begin(item, reasons);
    try {
      Outcome outcome = reconcile(item, active);
      config.listener().reconciled(item.key(), outcome, active.elapsed());
    } finally {
      active.end();
      run.watchdog().ended(active);
      MDC.clear();
      Thread.interrupted(); // whoever it was meant for has returned
    }
    return !run.workers().wasReplaced(active);
  }

  private ActiveReconcile begin(WorkItem<Request> item, List<Object> reasons) {
    Request request = item.key();
    String id = new UUID(config.random().nextLong(), config.random().nextLong()).toString();
    MDC.put("controller", config.name());
    MDC.put("namespace", request.namespace());
    MDC.put("name", request.name());
    MDC.put("reconcileId", id);
    ActiveReconcile active =
        new ActiveReconcile(
            new ActiveReconcile.Circumstances(
                request,
                id,
                run.queue().retries(request),
                item.priority(),
                reasons,
                config.options().reconcileTimeout()),
            config.options().slowAfter(),
            config.scheduler());
    run.watchdog().began(active);
    if (run.isStopping()) {
      active.cancel(); // the stop may not have seen it
    }
    return active;
  }

  private Outcome reconcile(WorkItem<Request> item, ActiveReconcile active) {
    Result result;
    try {
      result = config.reconciler().reconcile(item.key(), active);
      if (result == null) {
        throw new IllegalStateException(
            config.reconciler() + " returned null; it must return Result.done() or another result");
      }
    } catch (Throwable t) {
      // The root of user code: whatever it was, others go on.
      return failed(item.key(), t, active);
    }
    return act(item.key(), result, active);
  }

  private Outcome failed(Request request, Throwable t, ActiveReconcile active) {
    if (t instanceof InterruptedException && run.isStopping()) {
      log.info("{}: the reconcile of '{}' was interrupted by the stop", config.name(), request);
      return Outcome.ERROR;
    }
    Throwable error = t;
    if (t instanceof Exception exception && config.options().errorPolicy() != ErrorPolicy.DEFAULT) {
      try {
        Result answer = config.options().errorPolicy().onError(request, exception, active);
        if (answer == null) {
          throw new IllegalStateException("the error policy returned null", t);
        }
        log.error("error syncing '{}': {}, as the policy says: {}", request, textOf(t), answer, t);
        act(request, answer, active);
        return Outcome.ERROR;
      } catch (Throwable thrown) {
        error = thrown;
      }
    }
    return isTerminal(error) ? dropped(request, error) : retried(request, error, active);
  }

  /** Also inside of another exception, as libraries between the two like to wrap. */
  private static boolean isTerminal(Throwable t) {
    @Nullable Throwable cause = t;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof TerminalException) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private Outcome dropped(Request request, Throwable t) {
    run.queue().forget(request);
    log.error("error syncing '{}': {}, not requeuing", request, textOf(t), t);
    return Outcome.TERMINAL_ERROR;
  }

  private Outcome retried(Request request, Throwable t, ActiveReconcile active) {
    run.reasons().add(request, "an error");
    boolean again = run.queue().addRateLimited(request, active.next());
    if (!again && !run.isStopping()) {
      run.reasons().take(request); // it is told anew when an event makes a new beginning
      log.error("error syncing '{}': {}, given up", request, textOf(t), t);
    } else if (Conflicts.isConflict(t)) {
      // Everyday business: somebody else was quicker, and the next run sees what they did.
      log.info("conflict syncing '{}', requeuing: {}", request, textOf(t));
    } else {
      log.error("error syncing '{}': {}, requeuing", request, textOf(t), t);
    }
    return Outcome.ERROR;
  }

  private static String textOf(Throwable t) {
    return t.getMessage() == null ? t.getClass().getSimpleName() : t.getMessage();
  }

  private Outcome act(Request request, Result result, ActiveReconcile active) {
    if (!result.requeueAfter().isZero()) {
      run.reasons().add(request, "requeueAfter");
      run.queue().forget(request);
      run.queue().addAfter(request, result.requeueAfter(), active.next());
      return Outcome.REQUEUE_AFTER;
    } else if (result.requeue()) {
      run.reasons().add(request, "requeue");
      run.queue().addRateLimited(request, active.next());
      return Outcome.REQUEUE;
    }
    run.queue().forget(request);
    return Outcome.DONE;
  }
}
