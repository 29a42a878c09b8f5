// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a Lease says. The times are for people: nobody compares them with a clock.
 *
 * @param holder empty if nobody holds it
 * @param duration how long others wait after a change before they take it
 * @param acquired when the holder's term began
 * @param renewed when the holder last renewed it
 * @param transitions how often the holder has changed
 * @param version the resourceVersion that a write must find; empty for a Lease that does not exist
 */
record LeaseRecord(
    String holder,
    Duration duration,
    @Nullable Instant acquired,
    @Nullable Instant renewed,
    int transitions,
    String version) {

  /** What others wait for a Lease that was given back: 1 s, as client-go writes it. */
  private static final Duration RELEASED = Duration.ofSeconds(1);

  /** A wall clock that is no further behind has not been set back. */
  private static final Duration STANDING_STILL = Duration.ofSeconds(1);

  /** No Lease. */
  static final LeaseRecord NONE = new LeaseRecord("", Duration.ZERO, null, null, 0, "");

  boolean isFree() {
    return holder.isEmpty();
  }

  /** Whether it says the same, whatever its version. */
  boolean saysTheSameAs(LeaseRecord other) {
    return isClaimOf(other) && duration.equals(other.duration);
  }

  /** Whether it is the same renewal by the same holder. */
  boolean isClaimOf(LeaseRecord other) {
    return holder.equals(other.holder)
        && transitions == other.transitions
        && equal(acquired, other.acquired)
        && equal(renewed, other.renewed);
  }

  private static boolean equal(@Nullable Instant a, @Nullable Instant b) {
    return a == null ? b == null : a.equals(b);
  }

  /** The first renewal of a new term. */
  LeaseRecord takenBy(String identity, Duration lease, Instant now) {
    Instant time = differentFrom(renewed, now);
    return new LeaseRecord(identity, lease, time, time, transitions + 1, version);
  }

  /** The next renewal of the same term. */
  LeaseRecord renewed(Duration lease, Instant now) {
    return new LeaseRecord(
        holder, lease, acquired, differentFrom(renewed, now), transitions, version);
  }

  /** The same, given back. */
  LeaseRecord released(Instant now) {
    return new LeaseRecord(
        "", RELEASED, acquired, differentFrom(renewed, now), transitions, version);
  }

  /**
   * Others tell renewals apart by their times, so they must differ also while a wall clock stands
   * still; one that went back has its way.
   */
  private static Instant differentFrom(@Nullable Instant last, Instant now) {
    Instant time = now.truncatedTo(ChronoUnit.MICROS); // as precise as the Lease
    if (last == null || time.isAfter(last) || !time.plus(STANDING_STILL).isAfter(last)) {
      return time;
    }
    return last.plus(1, ChronoUnit.MICROS);
  }
}
