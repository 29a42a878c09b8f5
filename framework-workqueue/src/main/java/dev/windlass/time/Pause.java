// SPDX-License-Identifier: Apache-2.0
package dev.windlass.time;

import java.time.Duration;
import java.util.Optional;

/**
 * The time that a {@link Step} waits before it is called again, unless it is woken earlier.
 *
 * @param limit the maximum wait. If empty, the step waits until it is woken. If zero, the step is
 *     called again immediately
 */
public record Pause(Optional<Duration> limit) {

  /** More work is pending: the step is called again immediately. */
  public static final Pause NONE = new Pause(Optional.of(Duration.ZERO));

  /** No work is pending: the step waits until the loop is woken. */
  public static final Pause UNTIL_WOKEN = new Pause(Optional.empty());

  /**
   * Returns a pause that ends after {@code limit}, or earlier if the step is woken. A negative
   * limit counts as zero.
   */
  public static Pause of(Duration limit) {
    return limit.isNegative() || limit.isZero() ? NONE : new Pause(Optional.of(limit));
  }

  /** Returns the shorter of this pause and {@code other}. */
  public Pause orSooner(Duration other) {
    return limit.isPresent() && limit.get().compareTo(other) <= 0 ? this : of(other);
  }
}
