// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import java.time.Duration;

/**
 * Hears how reconciles go; metrics and tests are made of it. Called by the workers and by the
 * scheduler's thread; must be quick and thread safe, and must not throw.
 *
 * <p>What metrics are made of (names of controller-runtime): {@code
 * controller_runtime_reconcile_total} of the outcomes of {@link #reconciled}, where {@link
 * Outcome#DONE} is {@code success} and both errors are {@code error}; {@code ..._errors_total} of
 * both errors, {@code ..._terminal_reconcile_errors_total} of one; {@code ..._time_seconds} of how
 * long it took; {@code ..._timeouts_total} of {@link #timedOut}; {@code ..._panics_total} of {@link
 * #failed}. What is a level, {@code Controller} tells when it is asked. The queue has a listener of
 * its own, {@link dev.windlass.workqueue.WorkQueueListener}.
 */
public interface ControllerListener {

  /** How a reconcile can end, each with what becomes of the request. */
  enum Outcome {
    /** {@code Result.done()}: nothing until the next event. */
    DONE,
    /** {@code Result.requeueWithBackoff()}: again after the back-off. */
    REQUEUE,
    /** {@code Result.requeueAfter(d)}: again after that time at the latest. */
    REQUEUE_AFTER,
    /** Something was thrown, or null returned: again after the back-off. */
    ERROR,
    /** A {@code TerminalException}: nothing until the next event. */
    TERMINAL_ERROR
  }

  /** Hears nothing. */
  ControllerListener NONE = (request, outcome, took) -> {};

  /**
   * A reconcile has ended.
   *
   * @param took how long
   */
  void reconciled(Request request, Outcome outcome, Duration took);

  /**
   * A reconcile has thrown, or returned null; called before {@link #reconciled}, unless a stop was
   * the reason.
   *
   * @param thrown what it was; for null, an {@link IllegalStateException}. An unchecked one is what
   *     other languages call a panic
   */
  default void failed(Request request, Throwable thrown) {}

  /**
   * A reconcile has been cancelled and interrupted by the controller's time-out. It has not ended
   * yet. Not called for one that was cancelled before, by a stop.
   */
  default void timedOut(Request request) {}

  /**
   * A reconcile goes on though it was interrupted a while ago. Its object waits for it.
   *
   * @param elapsed how long it has run so far
   */
  default void stuck(Request request, Duration elapsed) {}

  /**
   * Reports a request that runs in a loop, which is proven, and is limited to one run per second
   * from now on. Called once for each time that it begins.
   */
  default void looping(Request request) {}
}
