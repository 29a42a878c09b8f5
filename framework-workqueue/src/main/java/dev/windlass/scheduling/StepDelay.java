// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import java.time.Duration;
import java.util.Optional;

/**
 * The time that a {@link Loop} waits before it calls its {@link LoopStep} again, unless the loop is
 * woken earlier.
 *
 * @param limit the maximum wait. If empty, the loop waits until it is woken. If zero, the loop
 *     calls the step again immediately
 */
public record StepDelay(Optional<Duration> limit) {

  /** More work is pending: the loop calls the step again immediately. */
  public static final StepDelay NONE = new StepDelay(Optional.of(Duration.ZERO));

  /** All work has been done: the loop waits until it is woken. */
  public static final StepDelay UNTIL_WOKEN = new StepDelay(Optional.empty());

  /**
   * Returns a delay that ends after the given limit, or earlier if the loop is woken. A negative
   * limit counts as zero.
   */
  public static StepDelay of(Duration limit) {
    return limit.isNegative() || limit.isZero() ? NONE : new StepDelay(Optional.of(limit));
  }

  /** Returns the shorter of this delay and {@code other}. */
  public StepDelay orSooner(Duration other) {
    return limit.isPresent() && limit.get().compareTo(other) <= 0 ? this : of(other);
  }
}
