// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import java.time.Duration;
import java.util.Optional;

/**
 * The time for which a {@link Loop} waits before it calls its {@link LoopStep} again. The wait ends
 * earlier if the loop is woken.
 *
 * @param limit the maximum wait. If zero, the loop calls the step again immediately. If empty, the
 *     loop waits until it is woken
 */
public record StepDelay(Optional<Duration> limit) {

  /**
   * A delay of zero, for a step that has more work to do. The loop calls the step again
   * immediately.
   */
  public static final StepDelay NONE = new StepDelay(Optional.of(Duration.ZERO));

  /** An unlimited delay, for a step that has done all work. The loop waits until it is woken. */
  public static final StepDelay UNTIL_WOKEN = new StepDelay(Optional.empty());

  /**
   * Returns a delay of the given duration. It ends earlier if the loop is woken. A negative
   * duration is treated as zero.
   */
  public static StepDelay of(Duration limit) {
    return limit.isNegative() || limit.isZero() ? NONE : new StepDelay(Optional.of(limit));
  }

  /** Returns the shorter of this delay and the given duration. */
  public StepDelay orSooner(Duration other) {
    return limit.isPresent() && limit.get().compareTo(other) <= 0 ? this : of(other);
  }
}
