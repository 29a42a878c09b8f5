// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * An exponential back-off. Each failed attempt multiplies the delay by a factor, until the delay
 * reaches a maximum. Jitter is optional.
 *
 * <p>A back-off does not count attempts, so it can be shared. Durations longer than a hundred years
 * are treated as a hundred years.
 *
 * @param initial the delay of attempt 0; more than zero
 * @param factor the factor by which each failed attempt multiplies the delay; at least 1
 * @param max the maximum delay before jitter is added; at least {@code initial}
 * @param jitter the maximum jitter, as a fraction of the delay; at least 0. With 0.5, a delay of 10
 *     s becomes 10 to 15 s. With 0, no jitter is added
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
   * Returns a back-off that doubles its delay from {@code initial} to {@code max}, without jitter.
   */
  public static Backoff exponential(Duration initial, Duration max) {
    return new Backoff(initial, 2, max, 0);
  }

  /**
   * Returns the delay before the next attempt, including jitter.
   *
   * @param attempt the number of failed attempts since the last success; zero or more
   * @param random the random generator for the jitter
   */
  public Duration delay(int attempt, RandomGenerator random) {
    Duration base = delay(attempt);
    return base.plusNanos((long) (Scheduler.saturatedNanos(base) * jitter * random.nextDouble()));
  }

  /**
   * Returns the delay before the next attempt, without jitter.
   *
   * @param attempt the number of failed attempts since the last success; zero or more
   */
  public Duration delay(int attempt) {
    if (attempt < 0) {
      throw new IllegalArgumentException("attempt must not be negative: " + attempt);
    }
    double nanos = Scheduler.saturatedNanos(initial) * Math.pow(factor, attempt);
    return Duration.ofNanos((long) Math.min(nanos, (double) Scheduler.saturatedNanos(max)));
  }
}
