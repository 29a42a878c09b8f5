// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import java.time.Duration;

/**
 * Receives notifications about reconciles, for example for metrics and tests. Worker threads and
 * the scheduler thread call the methods. Other threads can also call {@link #ownEventIgnored}.
 * Implementations must be thread-safe, must return quickly, and must not throw exceptions.
 *
 * <p>The following metrics are derived from these notifications. Their names are the same as in
 * controller-runtime.
 *
 * <ul>
 *   <li>{@code controller_runtime_reconcile_total} from the outcomes of {@link #reconciled}: {@link
 *       Outcome#DONE} is counted as {@code success}, and both {@link Outcome#ERROR} and {@link
 *       Outcome#TERMINAL_ERROR} as {@code error}.
 *   <li>{@code controller_runtime_reconcile_errors_total} from {@link Outcome#ERROR} and {@link
 *       Outcome#TERMINAL_ERROR}.
 *   <li>{@code controller_runtime_terminal_reconcile_errors_total} from {@link
 *       Outcome#TERMINAL_ERROR}.
 *   <li>{@code controller_runtime_reconcile_time_seconds} from the duration of each reconcile.
 *   <li>{@code controller_runtime_reconcile_timeouts_total} from {@link #timedOut}.
 *   <li>{@code controller_runtime_reconcile_panics_total} from the failures reported to {@link
 *       #failed} that indicate a fault in the program.
 * </ul>
 *
 * <p>This interface does not report gauges. Read them from {@code Controller}. The queue has its
 * own listener, {@link dev.windlass.workqueue.WorkQueueListener}.
 */
public interface ControllerListener {

  /** The outcome of a reconcile. It determines whether and when the object is reconciled again. */
  enum Outcome {
    /**
     * The reconciler returned {@code Result.done()}. The object is not reconciled again until the
     * next event.
     */
    DONE,
    /**
     * The reconciler returned {@code Result.requeueWithBackoff()}. The object is reconciled again
     * after the request's back-off.
     */
    REQUEUE,
    /**
     * The reconciler returned {@code Result.requeueAfter(d)}. The object is reconciled again after
     * the delay {@code d}, or earlier if an event occurs.
     */
    REQUEUE_AFTER,
    /**
     * The reconciler threw an exception or returned null. By default, the object is reconciled
     * again after the request's back-off.
     */
    ERROR,
    /**
     * The reconciler threw a {@code TerminalException}. The object is not reconciled again until
     * the next event.
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
   * Receives the failure of a reconcile that threw an exception or returned null. The worker calls
   * this method before {@link #reconciled}. It does not call this method if the reconcile was
   * interrupted because the controller is stopping.
   *
   * @param thrown the exception that the reconciler threw, or an {@link IllegalStateException} if
   *     it returned null. An {@link Error} or an unchecked exception corresponds to a panic in Go,
   *     unless it is one of the unchecked exceptions that clients, fences and streams throw
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
   * @param elapsed how long the reconcile has been running
   */
  default void stuck(Request request, Duration elapsed) {}

  /**
   * Receives a notification when the controller detects that an object is being reconciled in a
   * loop without making progress. The controller sends one notification for each loop.
   */
  default void looping(Request request) {}

  /**
   * Receives a notification when the controller ignores an event that a reconcile of the same
   * object has caused by a write; see {@code ControllerBuilder.ignoreOwnEvents}. This method is
   * called either by the thread that delivers the event or by the thread that receives the response
   * to the write.
   */
  default void ownEventIgnored(Request request) {}
}
