// SPDX-License-Identifier: Apache-2.0
package dev.windlass.time;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a {@link Step} wants to rest before it is called again, unless it is woken earlier.
 *
 * @param limit the longest rest; empty to rest until woken; zero to continue immediately
 */
public record Pause(Optional<Duration> limit) {

  /** There is more to do: call again immediately. */
  public static final Pause NONE = new Pause(Optional.of(Duration.ZERO));

  /** There is nothing to do until the loop is woken. */
  public static final Pause UNTIL_WOKEN = new Pause(Optional.empty());

  /** Returns a pause of {@code limit}, unless woken earlier. A negative limit counts as zero. */
  public static Pause of(Duration limit) {
    return limit.isNegative() || limit.isZero() ? NONE : new Pause(Optional.of(limit));
  }

  /** Returns the shorter of this pause and {@code other}. */
  public Pause orSooner(Duration other) {
    return limit.isPresent() && limit.get().compareTo(other) <= 0 ? this : of(other);
  }
}
