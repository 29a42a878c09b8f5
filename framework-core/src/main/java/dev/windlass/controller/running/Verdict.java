// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.client.ApiException;
import dev.windlass.client.Conflicts;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.controller.reconcile.ErrorPolicy;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.controller.reporting.ControllerLog;
import dev.windlass.controller.reporting.QueueReasons;
import dev.windlass.controller.reporting.SafeListener;
import dev.windlass.object.OneLine;
import dev.windlass.time.DurationText;
import dev.windlass.trouble.Advice;
import dev.windlass.workqueue.Priority;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What becomes of a request after its reconcile, decided in this order: an exception means try
 * again after the back-off, unless it is terminal or the error policy says something else; {@code
 * requeueAfter} means again at that time, the back-off forgotten; {@code requeue} means again after
 * the back-off; otherwise the request is done and its back-off forgotten.
 */
final class Verdict {

  private static final Logger log = ControllerLog.get();

  /** How deep causes are looked at: they may form a circle. */
  private static final int MAX_CAUSES = 20;

  /** So many runs at once may follow each other, with no other reason. */
  static final int MOST_AT_ONCE = 100;

  /** The most that is repeated of a message beside the stack trace. */
  private static final int LONGEST = 600;

  private final ControllerConfig config;
  private final RunState run;

  Verdict(ControllerConfig config, RunState run) {
    this.config = config;
    this.run = run;
  }

  /** The reconcile threw. */
  Outcome failed(Request request, Throwable t, ActiveReconcile active) {
    if (run.isStopping() && isInterrupt(t)) {
      log.info("{}: the reconcile of '{}' was interrupted by the stop", config.name(), request);
      return Outcome.ERROR;
    }
    SafeListener.safely(config.listener(), listener -> listener.failed(request, t));
    run.failures().failed(request, t);
    Throwable error = t;
    if (t instanceof Exception exception && config.options().errorPolicy() != ErrorPolicy.DEFAULT) {
      try {
        Result answer = config.options().errorPolicy().onError(request, exception, active);
        if (answer == null) {
          throw new IllegalStateException(
              "the error policy of the controller "
                  + config.name()
                  + " returned null; it must return Result.done() or another result",
              t);
        }
        log.error(
            "error syncing '{}': {}, as the policy says: {}",
            request,
            textOf(t, active),
            answer,
            OneLine.of(t));
        decide(request, answer, active);
        return Outcome.ERROR;
      } catch (Throwable thrown) {
        error = thrown;
      }
    }
    return isTerminal(error) ? dropped(request, error, active) : retried(request, error, active);
  }

  private static boolean isTerminal(Throwable t) {
    return isOrHasCause(t, TerminalException.class);
  }

  private static boolean isInterrupt(Throwable t) {
    return isOrHasCause(t, InterruptedException.class);
  }

  /** Also inside of another exception, as libraries between the two like to wrap. */
  static boolean isOrHasCause(Throwable t, Class<? extends Throwable> type) {
    @Nullable Throwable cause = t;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (type.isInstance(cause)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private Outcome dropped(Request request, Throwable t, ActiveReconcile active) {
    run.queue().forget(request);
    if (isOrHasCause(t, DecodableOnly.AlreadyReportedException.class)) {
      log.debug("error syncing '{}' as before: {}, not requeuing", request, textOf(t, active));
    } else {
      log.error("error syncing '{}': {}, not requeuing", request, textOf(t, active), OneLine.of(t));
    }
    return Outcome.TERMINAL_ERROR;
  }

  private Outcome retried(Request request, Throwable t, ActiveReconcile active) {
    run.reasons().add(request, "an error");
    boolean again = run.queue().addRateLimited(request, active.priority());
    if (!again && !run.isStopping()) {
      run.reasons().take(request); // it is told anew when an event makes a new beginning
      log.error("error syncing '{}': {}, given up", request, textOf(t, active), OneLine.of(t));
    } else if (Conflicts.isConflict(t)) {
      // Everyday business: somebody else was quicker, and the next run sees what they did.
      log.info("conflict syncing '{}', requeuing: {}", request, said(t));
    } else {
      log.error("error syncing '{}': {}, requeuing", request, textOf(t, active), OneLine.of(t));
    }
    return Outcome.ERROR;
  }

  /**
   * In one line: what it says, and what to do if that is known and not said yet. Without a full
   * stop, as the line goes on.
   */
  private String textOf(Throwable t, ActiveReconcile active) {
    if (active.timedOut()) {
      String limit = DurationText.of(config.options().reconcileTimeout());
      return "timed out after " + limit + " (" + said(t) + ")";
    }
    boolean complete = isOrHasCause(t, ApiException.class);
    String text =
        complete ? said(t) : said(t) + Advice.of(t).map(advice -> ". " + advice).orElse("");
    return text.endsWith(".") && !text.endsWith("..") ? text.substring(0, text.length() - 1) : text;
  }

  private static String said(Throwable t) {
    return OneLine.of(
        t.getMessage() == null ? t.getClass().getSimpleName() : t.getMessage(), LONGEST);
  }

  /** The reconcile returned. What is done says so, and what is to be repeated does not. */
  Outcome returned(Request request, Result result, ActiveReconcile active) {
    run.failures().recovered(request);
    Outcome outcome = decide(request, result, active);
    if (outcome == Outcome.DONE) {
      log.atDebug()
          .addKeyValue("controller", config.name())
          .addKeyValue("request", request)
          .log("Successfully Reconciled");
    }
    return outcome;
  }

  private Outcome decide(Request request, Result result, ActiveReconcile active) {
    if (result.isAtOnce() || !result.requeueAfter().isZero()) {
      return again(request, result, active);
    } else if (result.requeue()) {
      run.reasons().add(request, "requeue");
      backOff(request, next(result, active));
      return Outcome.REQUEUE;
    }
    run.queue().forget(request);
    return Outcome.DONE;
  }

  /** It asked for a time, which may be at once. */
  private Outcome again(Request request, Result result, ActiveReconcile active) {
    Priority next = next(result, active);
    if (!result.isAtOnce()) {
      run.reasons().add(request, QueueReasons.REQUEUE_AFTER);
      run.queue().forget(request);
      run.queue().addAfter(request, result.requeueAfter(), next);
      return Outcome.REQUEUE_AFTER;
    }
    int inARow = QueueReasons.AtOnce.before(active.causes()) + 1;
    run.reasons().add(request, new QueueReasons.AtOnce(inARow));
    if (inARow <= MOST_AT_ONCE) {
      run.queue().forget(request);
      run.queue().addAfter(request, result.requeueAfter(), next);
      return Outcome.REQUEUE_AFTER;
    }
    if (inARow == MOST_AT_ONCE + 1) {
      log.warn(
          "{}: '{}' has asked {} times in a row to be reconciled at once; backing off. If"
              + " requeueAfter(Duration.ZERO) is to mean \"not again\", return Result.done()",
          config.name(),
          request,
          inARow);
    }
    backOff(request, next);
    return Outcome.REQUEUE_AFTER;
  }

  /** Under which priority the request waits again. */
  private static Priority next(Result result, ActiveReconcile active) {
    return result.priority().orElse(active.priority());
  }

  private void backOff(Request request, Priority next) {
    if (!run.queue().addRateLimited(request, next) && !run.isStopping()) {
      run.reasons().take(request);
      log.error("'{}' asked to be requeued too often, given up", request);
    }
  }
}
