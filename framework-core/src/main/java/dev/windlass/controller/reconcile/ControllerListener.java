// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import java.time.Duration;

/**
 * Receives notifications about reconciles, for example for metrics and tests. Workers and the
 * scheduler thread call the listener. Implementations must be thread-safe, must return quickly, and
 * must not throw exceptions.
 *
 * <p>The following metrics, which have the same names as in controller-runtime, are derived from
 * these calls:
 *
 * <ul>
 *   <li>{@code controller_runtime_reconcile_total} from the outcomes of {@link #reconciled}: {@link
 *       Outcome#DONE} is counted as {@code success}, and both kinds of errors as {@code error}.
 *   <li>{@code ..._errors_total} from both kinds of errors.
 *   <li>{@code ..._terminal_reconcile_errors_total} from terminal errors.
 *   <li>{@code ..._time_seconds} from the duration.
 *   <li>{@code ..._timeouts_total} from {@link #timedOut}.
 *   <li>{@code ..._panics_total} from {@link #failed}.
 * </ul>
 *
 * <p>Gauges are not reported through this interface; read them from {@code Controller}. The queue
 * has its own listener, {@link dev.windlass.workqueue.WorkQueueListener}.
 */
public interface ControllerListener {

  /** A reconcile's outcome, which determines whether and when the request runs again. */
  enum Outcome {
    /**
     * The reconciler returned {@code Result.done()}. The request does not run again until the next
     * event.
     */
    DONE,
    /**
     * The reconciler returned {@code Result.requeueWithBackoff()}. The request runs again after its
     * back-off.
     */
    REQUEUE,
    /**
     * The reconciler returned {@code Result.requeueAfter(d)}. The request runs again after the
     * delay {@code d} at the latest.
     */
    REQUEUE_AFTER,
    /**
     * The reconciler threw an exception or returned null. The request runs again after its
     * back-off.
     */
    ERROR,
    /**
     * The reconciler threw a {@code TerminalException}. The request does not run again until the
     * next event.
     */
    TERMINAL_ERROR
  }

  /** A listener that ignores all notifications. */
  ControllerListener NONE = (request, outcome, took) -> {};

  /**
   * Called when a reconcile has completed.
   *
   * @param took the reconcile's duration
   */
  void reconciled(Request request, Outcome outcome, Duration took);

  /**
   * Called before {@link #reconciled} when a reconcile has thrown an exception or returned null.
   * This method is not called if the reconcile was interrupted because the controller is stopping.
   *
   * @param thrown the exception that the reconciler threw, or an {@link IllegalStateException} if
   *     it returned null. An unchecked exception corresponds to a panic in Go
   */
  default void failed(Request request, Throwable thrown) {}

  /**
   * Called when a reconcile has exceeded the controller's time-out and has been cancelled and
   * interrupted. This method is not called if the reconcile had already been cancelled because the
   * controller is stopping.
   */
  default void timedOut(Request request) {}

  /**
   * Called when a reconcile is still running some time after it was interrupted. Its object is not
   * reconciled again until the reconcile returns.
   *
   * @param elapsed the run time of the reconcile so far
   */
  default void stuck(Request request, Duration elapsed) {}

  /**
   * Called once for each detected reconcile loop, when it is proven that the runs of a request do
   * not make progress. From then on, the controller limits the request to one run per second.
   */
  default void looping(Request request) {}

  /**
   * Called when an event is ignored because it only reports a write by a reconcile of the same
   * request; see {@code ControllerBuilder.ignoreOwnEvents}. This method is called on the thread
   * that delivers the event or on the thread that receives the response to the write.
   */
  default void ownEventIgnored(Request request) {}
}
