// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import dev.windlass.time.DurationText;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a request after a reconcile that did not fail. Immutable.
 *
 * <p>{@code requeueAfter} wins over {@code requeue}. As in Go, {@code new Result(false,
 * Duration.ZERO)} is {@link #done()}; the factory {@link #requeueAfter(Duration)} with zero means
 * at once.
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
   * Creates a result as in Go.
   *
   * @param requeue whether to reconcile again after the back-off of the request
   * @param requeueAfter when to reconcile again at the latest; zero for no such time
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
              + "; use Result.done() for never");
    }
    this.requeue = requeue;
    this.requeueAfter = requeueAfter;
    this.atOnce = atOnce;
    this.priority = priority;
  }

  /** Nothing to do until something changes. The back-off of the request is forgotten. */
  public static Result done() {
    return DONE;
  }

  /**
   * Reconcile again after the request's back-off: 5 ms, doubled each time up to 1000 s. To wait for
   * something that sends no events, prefer {@link #requeueAfter(Duration)}, whose pace does not
   * slow down.
   */
  public static Result requeueWithBackoff() {
    return REQUEUE;
  }

  /**
   * Reconcile again after this time at the latest. Any event in between brings the next reconcile
   * forward. Zero means at once, behind the requests that are ready already. The back-off of the
   * request is forgotten. After 100 runs at once in a row, with no other reason, the back-off
   * applies instead: a program that means "not again" by zero must return {@link #done()}.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public static Result requeueAfter(Duration delay) {
    Objects.requireNonNull(
        delay, "requeueAfter(...) was given null: use Result.done() for never, zero for at once");
    return delay.isZero() ? AT_ONCE : new Result(false, delay);
  }

  /**
   * The same result, whose next run waits under another priority. By default it has that of the
   * current run. {@link #done()} leads to no run, and ignores it.
   */
  public Result withPriority(Priority next) {
    return new Result(
        requeue,
        requeueAfter,
        atOnce,
        Objects.requireNonNull(
            next,
            "withPriority(...) was given null: leave the call out for the priority of the current run"));
  }

  /** Whether nothing follows until something changes. */
  public boolean isDone() {
    return !requeue && !atOnce && requeueAfter.isZero();
  }

  /** Whether to reconcile again after the back-off of the request, if no time is given. */
  public boolean requeue() {
    return requeue;
  }

  /** When to reconcile again at the latest; zero for no such time, and for at once. */
  public Duration requeueAfter() {
    return requeueAfter;
  }

  /** Whether to reconcile again without any delay: {@link #requeueAfter(Duration)} with zero. */
  public boolean isAtOnce() {
    return atOnce;
  }

  /** The priority of the next run; empty for that of the current run. */
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

  /** Such as {@code requeue after 10 s}. */
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
