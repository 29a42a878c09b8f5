// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import java.time.Duration;

/**
 * Receives notifications about reconciles, for example for metrics and tests. The workers and the
 * scheduler's thread call the listener. Implementations must return quickly, must be thread-safe,
 * and must not throw.
 *
 * <p>The following metrics derive from these calls (with the names of controller-runtime):
 *
 * <ul>
 *   <li>{@code controller_runtime_reconcile_total} from the outcomes of {@link #reconciled}. {@link
 *       Outcome#DONE} is {@code success}, and both errors are {@code error}.
 *   <li>{@code ..._errors_total} from both errors.
 *   <li>{@code ..._terminal_reconcile_errors_total} from terminal errors.
 *   <li>{@code ..._time_seconds} from the duration.
 *   <li>{@code ..._timeouts_total} from {@link #timedOut}.
 *   <li>{@code ..._panics_total} from {@link #failed}.
 * </ul>
 *
 * <p>Gauges are not pushed; read them from {@code Controller}. The queue has its own listener,
 * {@link dev.windlass.workqueue.WorkQueueListener}.
 */
public interface ControllerListener {

  /** The outcome of a reconcile, which determines how the request is processed further. */
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
     * The reconciler returned {@code Result.requeueAfter(d)}. The request runs again after that
     * delay at the latest.
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
   * @param took the duration of the reconcile
   */
  void reconciled(Request request, Outcome outcome, Duration took);

  /**
   * Called before {@link #reconciled} when a reconcile has thrown an exception or returned null.
   * This method is not called if a stop interrupted the reconcile.
   *
   * @param thrown the exception, or an {@link IllegalStateException} if the reconciler returned
   *     null. An unchecked exception corresponds to a panic in Go
   */
  default void failed(Request request, Throwable thrown) {}

  /**
   * Called when the controller's time-out has cancelled and interrupted a reconcile that has not
   * returned yet. This method is not called if a stop had already cancelled the reconcile.
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
   * Called when a request is proven to run in a loop. From then on, it is limited to one run per
   * second. This method is called once per loop.
   */
  default void looping(Request request) {}

  /**
   * Called when an event leads to no reconcile because it shows exactly what a reconcile of the
   * same request has written; see {@code ControllerBuilder.ignoreOwnEvents}. Called on the thread
   * that delivers the event, or on the thread that receives the response to the write.
   */
  default void ownEventIgnored(Request request) {}
}
