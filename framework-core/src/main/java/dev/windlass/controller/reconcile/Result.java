// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import dev.windlass.scheduling.DurationText;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of a reconcile that did not fail. It determines whether and when the object is
 * reconciled again. Instances are immutable.
 *
 * <p>{@code requeueAfter} takes precedence over {@code requeue}. As in controller-runtime, {@code
 * new Result(false, Duration.ZERO)} is equivalent to {@link #done()}, whereas the factory {@link
 * #requeueAfter(Duration)} requests an immediate run if the delay is zero.
 *
 * <p>To write objects, conditions and finalizers, see {@link
 * dev.windlass.client.owned.CreateOrUpdate}, {@link dev.windlass.client.owned.Conditions} and
 * {@link dev.windlass.client.owned.Finalizers}.
 */
public final class Result {

  private static final Result DONE = new Result(false, Duration.ZERO, false, null);
  private static final Result REQUEUE = new Result(true, Duration.ZERO, false, null);
  private static final Result AT_ONCE = new Result(false, Duration.ZERO, true, null);

  private final boolean requeue;
  private final Duration requeueAfter;
  private final boolean atOnce;
  private final @Nullable Priority priority;

  /**
   * Creates a result with the semantics of controller-runtime's {@code reconcile.Result}.
   *
   * @param requeue whether to reconcile again after the request's back-off
   * @param requeueAfter the maximum delay before the next reconcile, or zero to set no delay
   * @throws IllegalArgumentException if the delay is negative
   */
  public Result(boolean requeue, Duration requeueAfter) {
    this(requeue, requeueAfter, false, null);
  }

  private Result(
      boolean requeue, Duration requeueAfter, boolean atOnce, @Nullable Priority priority) {
    if (requeueAfter.isNegative()) {
      throw new IllegalArgumentException(
          "requeueAfter must not be negative: "
              + DurationText.of(requeueAfter)
              + "; to request no further reconcile, return Result.done()");
    }
    this.requeue = requeue;
    this.requeueAfter = requeueAfter;
    this.atOnce = atOnce;
    this.priority = priority;
  }

  /**
   * Returns a result that requests no further run and resets the request's back-off. The object is
   * reconciled again only after the next event.
   */
  public static Result done() {
    return DONE;
  }

  /**
   * Returns a result that requests another run after the request's back-off. By default, the
   * back-off starts at 5 ms and doubles each time, up to 1000 s (about 17 min). To poll a system
   * that does not send events, use {@link #requeueAfter(Duration)} with a constant delay instead.
   */
  public static Result requeueWithBackoff() {
    return REQUEUE;
  }

  /**
   * Returns a result that requests another run after the given delay, or earlier if an event
   * occurs. The result resets the request's back-off. To request no further run, return {@link
   * #done()}; a delay of zero does not mean "never".
   *
   * <p>If the delay is zero, the next run starts after all requests that are already ready. After
   * 100 consecutive runs that were requested only by a delay of zero, the back-off applies.
   *
   * @throws IllegalArgumentException if the delay is negative
   */
  public static Result requeueAfter(Duration delay) {
    Objects.requireNonNull(
        delay,
        "requeueAfter(...) was given null: pass zero to run immediately, or use Result.done()");
    return delay.isZero() ? AT_ONCE : new Result(false, delay);
  }

  /**
   * Returns a copy of this result that sets the priority of the next run. By default, the next run
   * has the same priority as the current run. The priority has no effect on {@link #done()}, which
   * does not request a run.
   */
  public Result withPriority(Priority next) {
    return new Result(
        requeue,
        requeueAfter,
        atOnce,
        Objects.requireNonNull(
            next,
            "withPriority(...) was given null: omit the call to keep the current run's priority"));
  }

  /**
   * Returns whether this result is equivalent to {@link #done()}, which requests no further run.
   */
  public boolean isDone() {
    return !requeue && !atOnce && requeueAfter.isZero();
  }

  /**
   * Returns whether this result requests another run after the request's back-off. If {@link
   * #requeueAfter()} is set, it takes precedence.
   */
  public boolean requeue() {
    return requeue;
  }

  /**
   * Returns the maximum delay before the next reconcile. Zero means either that the result requests
   * an immediate run or that no delay is set. {@link #isAtOnce()} distinguishes these two cases.
   */
  public Duration requeueAfter() {
    return requeueAfter;
  }

  /**
   * Returns whether this result requests an immediate run. This is the case if {@link
   * #requeueAfter(Duration)} created the result with a delay of zero.
   */
  public boolean isAtOnce() {
    return atOnce;
  }

  /** Returns the next run's priority, or empty for the same priority as the current run. */
  public Optional<Priority> priority() {
    return Optional.ofNullable(priority);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Result that
        && requeue == that.requeue
        && atOnce == that.atOnce
        && requeueAfter.equals(that.requeueAfter)
        && Objects.equals(priority, that.priority);
  }

  @Override
  public int hashCode() {
    return Objects.hash(requeue, requeueAfter, atOnce, priority);
  }

  /** Returns a string such as {@code requeue after 10 s}. */
  @Override
  public String toString() {
    return what() + (priority == null ? "" : ", priority " + priority);
  }

  private String what() {
    if (atOnce) {
      return "requeue at once";
    }
    if (!requeueAfter.isZero()) {
      return "requeue after " + DurationText.of(requeueAfter);
    }
    return requeue ? "requeue with back-off" : "done";
  }
}
