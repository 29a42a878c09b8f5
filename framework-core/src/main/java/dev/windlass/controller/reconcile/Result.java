// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import java.time.Duration;

/**
 * What is to become of a request after a reconcile that did not fail.
 *
 * <p>If {@code requeueAfter} is more than zero, it decides, and {@code requeue} is ignored. {@code
 * new Result(false, Duration.ZERO)} is done, as in Go; {@link #requeueAfter(Duration)} with zero is
 * not.
 *
 * @param requeue whether to try again after the request's back-off, which grows with each time
 * @param requeueAfter when to reconcile again at the latest, without counting as a failure; zero
 *     for no such time. Any event in between brings the next reconcile forward
 */
public record Result(boolean requeue, Duration requeueAfter) {

  private static final Result DONE = new Result(false, Duration.ZERO);
  private static final Result REQUEUE = new Result(true, Duration.ZERO);

  /** The shortest delay there is, as a delay of zero means none to {@link #Result}. */
  private static final Result AT_ONCE = new Result(false, Duration.ofNanos(1));

  /** Refuses a negative delay. */
  public Result {
    if (requeueAfter.isNegative()) {
      throw new IllegalArgumentException(
          "requeueAfter must not be negative: " + requeueAfter + "; use Result.done() for never");
    }
  }

  /** Nothing to do until something changes. The back-off of the request is forgotten. */
  public static Result done() {
    return DONE;
  }

  /**
   * Try again after the request's back-off: 5 ms, doubled each time up to 1000 s. For waiting on
   * something that gives no events prefer {@link #requeueAfter}, whose pace does not slow down.
   */
  public static Result requeueWithBackoff() {
    return REQUEUE;
  }

  /**
   * Reconcile again after this time at the latest; zero is at once, behind the requests that are
   * ready already. The back-off of the request is forgotten. More than 100 runs at once in a row,
   * with no other reason, take the back-off instead: a program that means "not again" by zero must
   * say {@link #done()}.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public static Result requeueAfter(Duration delay) {
    return delay.isZero() ? AT_ONCE : new Result(false, delay);
  }
}
