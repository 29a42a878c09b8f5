// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * An exponential back-off, whose delays increase by a factor from an initial delay to a maximum,
 * with optional jitter.
 *
 * <p>The delay depends only on the number of the attempt and, with jitter, on the source of
 * randomness. A back-off does not count attempts, so any number of users can share it. Durations
 * longer than a hundred years are treated as a hundred years.
 *
 * @param initial the delay of attempt 0, more than zero
 * @param factor the factor by which each attempt multiplies the delay, at least 1
 * @param max the maximum delay before jitter, at least {@code initial}
 * @param jitter the maximum fraction of the delay that is added at random. With 1.0, a delay {@code
 *     d} becomes a value in {@code [d, 2d)}. With 0, jitter is disabled
 */
public record Backoff(Duration initial, double factor, Duration max, double jitter) {

  /** Checks the ranges of the components. */
  public Backoff {
    if (initial.isNegative() || initial.isZero()) {
      throw new IllegalArgumentException(
          "initial back-off must be more than zero: " + DurationText.of(initial));
    }
    if (!(factor >= 1)) {
      throw new IllegalArgumentException("back-off factor must be at least 1: " + factor);
    }
    if (max.compareTo(initial) < 0) {
      throw new IllegalArgumentException(
          "maximum back-off "
              + DurationText.of(max)
              + " must not be less than the initial back-off "
              + DurationText.of(initial));
    }
    if (!(jitter >= 0)) {
      throw new IllegalArgumentException("jitter must not be negative: " + jitter);
    }
  }

  /**
   * Returns a back-off without jitter that doubles its delay from {@code initial} to {@code max}.
   */
  public static Backoff exponential(Duration initial, Duration max) {
    return new Backoff(initial, 2, max, 0);
  }

  /**
   * Returns the delay before attempt number {@code attempt}, including jitter. The delay before
   * jitter never exceeds {@code max}, for any number of attempts.
   *
   * @param attempt the number of failed attempts since the last success, zero or more
   * @param random the source of the jitter
   */
  public Duration delay(int attempt, RandomGenerator random) {
    Duration base = delay(attempt);
    return base.plusNanos((long) (Scheduler.saturatedNanos(base) * jitter * random.nextDouble()));
  }

  /** Returns the delay before attempt number {@code attempt}, without jitter. */
  public Duration delay(int attempt) {
    if (attempt < 0) {
      throw new IllegalArgumentException("attempt must not be negative: " + attempt);
    }
    double nanos = Scheduler.saturatedNanos(initial) * Math.pow(factor, attempt);
    return Duration.ofNanos((long) Math.min(nanos, (double) Scheduler.saturatedNanos(max)));
  }
}
