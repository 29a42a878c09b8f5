// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import java.time.Duration;

/**
 * Receives notifications about reconciles, for example for metrics and tests. Called by the workers
 * and by the scheduler's thread. Must be quick and thread safe, and must not throw.
 *
 * <p>The metrics derive from these calls (names of controller-runtime): {@code
 * controller_runtime_reconcile_total} from the outcomes of {@link #reconciled}, where {@link
 * Outcome#DONE} is {@code success} and both errors are {@code error}; {@code ..._errors_total} from
 * both errors, {@code ..._terminal_reconcile_errors_total} from the terminal one; {@code
 * ..._time_seconds} from the duration; {@code ..._timeouts_total} from {@link #timedOut}; {@code
 * ..._panics_total} from {@link #failed}. Gauges are not pushed: read them from {@code Controller}.
 * The queue has its own listener, {@link dev.windlass.workqueue.WorkQueueListener}.
 */
public interface ControllerListener {

  /** How a reconcile can end, and what happens to the request. */
  enum Outcome {
    /** {@code Result.done()}: no run until the next event. */
    DONE,
    /** {@code Result.requeueWithBackoff()}: run again after the back-off. */
    REQUEUE,
    /** {@code Result.requeueAfter(d)}: run again after that delay at the latest. */
    REQUEUE_AFTER,
    /** The reconciler threw, or returned null: run again after the back-off. */
    ERROR,
    /** The reconciler threw a {@code TerminalException}: no run until the next event. */
    TERMINAL_ERROR
  }

  /** A listener that ignores all notifications. */
  ControllerListener NONE = (request, outcome, took) -> {};

  /**
   * Called when a reconcile has ended.
   *
   * @param took the duration of the reconcile
   */
  void reconciled(Request request, Outcome outcome, Duration took);

  /**
   * Called when a reconcile has thrown or returned null, before {@link #reconciled}; not called if
   * a stop was the reason.
   *
   * @param thrown the exception, or an {@link IllegalStateException} if the reconciler returned
   *     null. An unchecked exception corresponds to a panic in Go
   */
  default void failed(Request request, Throwable thrown) {}

  /**
   * Called when the controller's time-out has cancelled and interrupted a reconcile, which has not
   * ended yet. Not called if a stop had already cancelled it.
   */
  default void timedOut(Request request) {}

  /**
   * Called when a reconcile is still running some time after it was interrupted. Its object is not
   * reconciled again before it ends.
   *
   * @param elapsed how long it has run so far
   */
  default void stuck(Request request, Duration elapsed) {}

  /**
   * Called once when a request is proven to run in a loop; from then on it is limited to one run
   * per second. Called again if the request enters a loop again.
   */
  default void looping(Request request) {}
}
