// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.controller.keys.KeyState;
import dev.windlass.controller.keys.OwnedKeys;
import dev.windlass.controller.logging.ControllerLog;
import dev.windlass.controller.logging.SafeLog;
import dev.windlass.controller.loopdetection.LoopDetector;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.controller.reconcile.ErrorPolicy;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.failure.CauseChain;
import dev.windlass.health.checks.SafeCauseText;
import dev.windlass.leader.LeadershipLostException;
import dev.windlass.logging.OneLine;
import dev.windlass.object.CachedObject;
import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import org.slf4j.Logger;

/**
 * Determines what happens to a request after it has been reconciled. The first matching rule
 * applies:
 *
 * <ol>
 *   <li>After a terminal exception, the handler drops the request and resets its back-off; if the
 *       controller has a {@code retryAfterGivingUp}, the request runs again then. After a routine
 *       conflict, and while the object's namespace is being deleted, it retries the request without
 *       asking the error policy. After any other exception, it retries the request after its
 *       back-off, and after the delay that an overloaded server has requested. If the error policy
 *       returns a result instead, the handler applies the following rules to this result.
 *   <li>If the result is {@code requeueAfter(d)}, the request runs again after the delay, and its
 *       back-off is reset.
 *   <li>If the result is {@code requeueWithBackoff()}, the request runs again after its back-off.
 *   <li>Otherwise, the request is done, and its back-off is reset.
 * </ol>
 */
final class ResultHandler {

  private static final Logger log = ControllerLog.get();

  /**
   * The maximum number of consecutive runs of a request that were caused only by {@code
   * requeueAfter(Duration.ZERO)}: 100. After this number of runs, the back-off applies.
   */
  static final int MOST_AT_ONCE = 100;

  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  private final ControllerConfig config;
  private final OwnedKeys keys;
  private final FailureEvents events;

  ResultHandler(ControllerConfig config, OwnedKeys keys) {
    this.config = config;
    this.keys = keys;
    this.events = new FailureEvents(config, keys.queue());
  }

  Outcome failed(Request request, Throwable thrown, ActiveReconcile active) {
    if (!keys.owns(request) && isInterrupt(thrown)) {
      log.info("{}: the reconcile of '{}' was interrupted by the stop", config.name(), request);
      return Outcome.ERROR;
    }
    if (!keys.owns(request) && CauseChain.contains(thrown, LeadershipLostException.class)) {
      log.info("{}: the reconcile of '{}' has lost its lease", config.name(), request);
      return Outcome.ERROR;
    }
    Throwable t = UndecodableObject.orSame(thrown, request, config.lookup());
    SafeLog.safely(config.listener(), listener -> listener.failed(request, t));
    ReconcileFailure failure = new ReconcileFailure(t);
    if (failure.isEndOf(request.namespace())) {
      return waiting(request, failure, active);
    }
    int conflicts = recorded(request, t);
    if (t instanceof Exception exception
        && config.options().errorPolicy != ErrorPolicy.DEFAULT
        && !failure.isRoutineConflict(conflicts)) {
      try {
        Result answer = config.options().errorPolicy.onError(request, exception, active);
        if (answer == null) {
          throw new IllegalStateException(
              "the error policy of the controller "
                  + config.name()
                  + " returned null; it must return Result.done() or another result",
              t);
        }
        logFailure(
            request,
            failure,
            "result of the error policy: " + answer,
            active,
            answer.isDone() ? Duration.ZERO : FailureEvents.LASTING);
        decide(request, answer, active, failure.requestedDelay());
        return Outcome.ERROR;
      } catch (Throwable other) {
        FatalErrors.rethrow(other);
        failure = failure.afterPolicy(other);
      }
    }
    return failure.isTerminal()
        ? dropped(request, failure, active)
        : retried(request, failure, conflicts, active);
  }

  /** Records a failure. Returns the number of conflicts in a row, which is 0 after no conflict. */
  private int recorded(Request request, Throwable thrown) {
    String uid = config.lookup().primary(request).map(CachedObject::uid).orElse("");
    boolean ofAnother =
        keys.queue()
            .record(
                request,
                state -> state.failures().filter(known -> known.areOfAnother(uid)).isPresent());
    if (ofAnother) { // an object that was created again under its name begins anew
      keys.queue().update(request, KeyState::recovered);
      keys.queue().forget(request);
    }
    String error = SafeCauseText.of(thrown);
    boolean isConflict = ReconcileFailure.isConflict(thrown);
    long now = config.scheduler().nanoTime();
    return keys.queue()
        .record(request, state -> state.failed(uid, error, isConflict, now).conflicts());
  }

  private static boolean isInterrupt(Throwable t) {
    return CauseChain.contains(t, InterruptedException.class);
  }

  private Outcome dropped(Request request, ReconcileFailure failure, ActiveReconcile active) {
    keys.queue().forget(request);
    String next = givenUp(request, "not requeuing", active);
    boolean isKnown =
        CauseChain.find(failure.exception(), UndecodableObject.class)
            .filter(undecodable -> !isNews(request, undecodable) || undecodable.isLogged)
            .isPresent();
    if (isKnown) {
      log.debug("error syncing '{}' as before: {}, {}", request, text(failure, active), next);
    } else {
      logError(request, failure, next, active);
    }
    report(request, failure, active, Duration.ZERO);
    return Outcome.TERMINAL_ERROR;
  }

  /**
   * Handles a reconcile in a namespace that is being deleted, which nobody has to know of: the
   * request is retried after its back-off, in case the object outlives its namespace.
   */
  private Outcome waiting(Request request, ReconcileFailure failure, ActiveReconcile active) {
    keys.because(request, "its namespace is being deleted");
    keys.queue().addUnlimited(request, active.priority(), failure.requestedDelay());
    log.debug("waiting for the end of '{}': {}", request.namespace(), text(failure, active));
    return Outcome.REQUEUE;
  }

  private Outcome retried(
      Request request, ReconcileFailure failure, int conflicts, ActiveReconcile active) {
    keys.because(request, "retry after an error");
    if (failure.isRoutineConflict(conflicts)) {
      keys.queue().addUnlimited(request, active.priority(), failure.requestedDelay());
      log.info("conflict syncing '{}', {}: {}", request, next(request), failure.message());
      return Outcome.ERROR;
    }
    boolean again =
        keys.queue().addRateLimited(request, active.priority(), failure.requestedDelay());
    if (!again && keys.owns(request)) {
      keys.queue().update(request, KeyState::dropReasons); // the next event starts anew
      logError(request, failure, givenUp(request, "giving up", active), active);
      report(request, failure, active, Duration.ZERO);
    } else {
      logFailure(request, failure, next(request), active, FailureEvents.LASTING);
    }
    return Outcome.ERROR;
  }

  /**
   * Handles a request that is not retried after its back-off. Returns a phrase for the log, which
   * begins with the given one.
   */
  private String givenUp(Request request, String phrase, ActiveReconcile active) {
    Duration interval = config.options().retryAfterGivingUp;
    if (interval.isZero()) {
      return phrase;
    }
    keys.because(request, "retry after giving up");
    keys.queue().addAfter(request, interval, active.priority());
    return phrase + ", retrying " + rounded(interval);
  }

  /**
   * Logs a failure that is retried: at ERROR when it begins or changes, and at DEBUG while it
   * repeats. If the server is overloaded, the failure is a warning without a stack trace: an
   * overload affects many objects at once, and its cause is not in this program's code.
   *
   * @param lasting how long the request must have been failing for an Event about its object
   */
  private void logFailure(
      Request request,
      ReconcileFailure failure,
      String next,
      ActiveReconcile active,
      Duration lasting) {
    report(request, failure, active, lasting);
    if (!isNews(request, failure.last())) {
      log.debug("error syncing '{}' again: {}, {}", request, text(failure, active), next);
    } else if (failure.isOverload()) {
      log.warn("error syncing '{}': {}, {}", request, text(failure, active), next);
    } else {
      logError(request, failure, next, active);
    }
  }

  /** Returns whether a failure is not the one that was logged last since the last success. */
  private boolean isNews(Request request, Throwable thrown) {
    String error = SafeCauseText.of(thrown);
    return keys.queue()
        .record(request, state -> state.failures().map(f -> f.isNews(error)).orElse(true));
  }

  private void report(
      Request request, ReconcileFailure failure, ActiveReconcile active, Duration lasting) {
    events.failed(request, failure.exception(), text(failure, active), lasting);
  }

  private void logError(
      Request request, ReconcileFailure failure, String next, ActiveReconcile active) {
    Throwable shown = OneLine.of(failure.exception());
    log.error("error syncing '{}': {}, {}", request, text(failure, active), next, shown);
  }

  /**
   * Returns a phrase for the log. It contains the delay before the next attempt, and the number of
   * that attempt.
   */
  private String next(Request request) {
    String when = keys.queue().dueIn(request).map(ResultHandler::rounded).orElse("at once");
    return "requeuing " + when + " (attempt " + (keys.queue().retries(request) + 1) + ")";
  }

  /**
   * Returns a phrase with a rounded delay. A delay of at least 10 s is rounded to seconds, a delay
   * of at least 1 s to tenths of a second, and a shorter delay to milliseconds.
   */
  private static String rounded(Duration delay) {
    long unit = delay.compareTo(TEN_SECONDS) >= 0 ? 1000 : delay.toSeconds() > 0 ? 100 : 1;
    long millis = Math.max(1, Math.round(delay.toNanos() / (1e6 * unit)) * unit);
    return "in " + DurationText.of(Duration.ofMillis(millis));
  }

  private String text(ReconcileFailure failure, ActiveReconcile active) {
    if (!active.timedOut()) {
      return failure.explanation();
    }
    String limit = DurationText.of(config.options().reconcileTimeout);
    return "timed out after " + limit + " (" + failure.message() + ")";
  }

  /**
   * Handles a reconcile that returned a result. Logs the success only if the request is not queued
   * again.
   */
  Outcome returned(Request request, Result result, ActiveReconcile active) {
    keys.queue().update(request, KeyState::recovered);
    Outcome outcome = decide(request, result, active, Duration.ZERO);
    if (outcome == Outcome.DONE) {
      log.atDebug()
          .addKeyValue("controller", config.name())
          .addKeyValue("request", request)
          .log("Successfully Reconciled");
    }
    return outcome;
  }

  /**
   * Applies the rules for results.
   *
   * @param atLeast the minimum back-off, which does not apply to delays that the result contains
   */
  private Outcome decide(Request request, Result result, ActiveReconcile active, Duration atLeast) {
    if (result.isAtOnce() || !result.requeueAfter().isZero()) {
      return again(request, result, active);
    } else if (result.requeue()) {
      keys.because(request, "requeue");
      backOff(request, next(result, active), atLeast, active);
      return Outcome.REQUEUE;
    }
    keys.queue().forget(request);
    return Outcome.DONE;
  }

  /** Queues a request again after the delay in its result, which can be zero. */
  private Outcome again(Request request, Result result, ActiveReconcile active) {
    Priority next = next(result, active);
    if (!result.isAtOnce()) {
      keys.because(request, KeyState.REQUEUE_AFTER);
      keys.queue().forget(request);
      keys.queue().addAfter(request, result.requeueAfter(), next);
      return Outcome.REQUEUE_AFTER;
    }
    int inARow = LoopDetector.AtOnce.before(active.causes()) + 1;
    keys.because(request, new LoopDetector.AtOnce(inARow));
    if (inARow <= MOST_AT_ONCE) {
      keys.queue().forget(request);
      keys.queue().addAfter(request, result.requeueAfter(), next);
      return Outcome.REQUEUE_AFTER;
    }
    if (inARow == MOST_AT_ONCE + 1) {
      log.warn(
          "{}: '{}' has requested an immediate requeue {} times in a row; backing off. To stop"
              + " requeuing, return Result.done() instead of requeueAfter(Duration.ZERO)",
          config.name(),
          request,
          inARow);
    }
    backOff(request, next, Duration.ZERO, active);
    return Outcome.REQUEUE_AFTER;
  }

  private static Priority next(Result result, ActiveReconcile active) {
    return result.priority().orElse(active.priority());
  }

  private void backOff(Request request, Priority next, Duration atLeast, ActiveReconcile active) {
    if (!keys.queue().addRateLimited(request, next, atLeast) && keys.owns(request)) {
      keys.queue().update(request, KeyState::dropReasons);
      log.error("'{}' has used up its retries, {}", request, givenUp(request, "giving up", active));
    }
  }
}
