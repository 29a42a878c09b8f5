// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import java.time.Duration;

/**
 * Receives notifications about reconciles, for example for metrics and tests. Workers and the
 * scheduler thread call the methods; other threads can also call {@link #ownEventIgnored}.
 * Implementations must be thread-safe, must return quickly, and must not throw exceptions.
 *
 * <p>The following metrics, which have the same names as in controller-runtime, are derived from
 * these calls:
 *
 * <ul>
 *   <li>{@code controller_runtime_reconcile_total} from the outcomes of {@link #reconciled}: {@link
 *       Outcome#DONE} is counted as {@code success}, and both {@link Outcome#ERROR} and {@link
 *       Outcome#TERMINAL_ERROR} as {@code error}.
 *   <li>{@code controller_runtime_reconcile_errors_total} from these two outcomes.
 *   <li>{@code controller_runtime_terminal_reconcile_errors_total} from {@link
 *       Outcome#TERMINAL_ERROR}.
 *   <li>{@code controller_runtime_reconcile_time_seconds} from the duration.
 *   <li>{@code controller_runtime_reconcile_timeouts_total} from {@link #timedOut}.
 *   <li>{@code controller_runtime_reconcile_panics_total} from the failures reported to {@link
 *       #failed} that indicate a fault in the program.
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
     * The reconciler threw an exception or returned null. By default, the request runs again after
     * its back-off.
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
   * Receives the outcome of a reconcile that has completed.
   *
   * @param took the reconcile's duration
   */
  void reconciled(Request request, Outcome outcome, Duration took);

  /**
   * Receives the failure of a reconcile that has thrown an exception or returned null. The worker
   * calls this method before {@link #reconciled}. It does not call this method if the reconcile was
   * interrupted because the controller is stopping.
   *
   * @param thrown the exception that the reconciler threw, or an {@link IllegalStateException} if
   *     it returned null. An {@link Error} or an unchecked exception corresponds to a panic in Go,
   *     except the exceptions with which clients, fences and streams report other failures
   */
  default void failed(Request request, Throwable thrown) {}

  /**
   * Receives a notification when the controller has cancelled and interrupted a reconcile that
   * exceeded its time-out. The controller does not call this method if it had already cancelled the
   * reconcile because it is stopping.
   */
  default void timedOut(Request request) {}

  /**
   * Receives a notification when a reconcile is still running some time after it was interrupted.
   * The controller does not reconcile the object again until this reconcile returns.
   *
   * @param elapsed the run time of the reconcile so far
   */
  default void stuck(Request request, Duration elapsed) {}

  /**
   * Receives one notification for each detected reconcile loop, when it is proven that the runs of
   * a request do not make progress. From then on, the controller limits the request to one run per
   * second.
   */
  default void looping(Request request) {}

  /**
   * Receives a notification when the controller ignores an event because the event only reports a
   * write by a reconcile of the same request; see {@code ControllerBuilder.ignoreOwnEvents}. Either
   * the thread that delivers the event or the thread that receives the response to the write calls
   * this method.
   */
  default void ownEventIgnored(Request request) {}
}
