// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The content of a Lease. Its times are informational; no decision compares them with a clock.
 *
 * @param holder the identity of the holder; empty if there is none
 * @param duration how long other replicas wait after a change before they take the lease
 * @param acquired when the holder's term began
 * @param renewed when the holder last renewed it
 * @param transitions how often the holder has changed
 * @param version the resourceVersion that a write requires; empty for a Lease that does not exist
 */
record LeaseRecord(
    String holder,
    Duration duration,
    @Nullable Instant acquired,
    @Nullable Instant renewed,
    int transitions,
    String version) {

  /** The lease duration of a released Lease: 1 s, as in client-go. */
  private static final Duration RELEASED = Duration.ofSeconds(1);

  /** A wall clock that is behind by less than this counts as standing still, not as set back. */
  private static final Duration STANDING_STILL = Duration.ofSeconds(1);

  /** A Lease that does not exist. */
  static final LeaseRecord NONE = new LeaseRecord("", Duration.ZERO, null, null, 0, "");

  boolean isFree() {
    return holder.isEmpty();
  }

  /** Returns whether the content is the same, regardless of the version. */
  boolean saysTheSameAs(LeaseRecord other) {
    return isClaimOf(other) && duration.equals(other.duration);
  }

  /** Returns whether both records are the same renewal by the same holder. */
  boolean isClaimOf(LeaseRecord other) {
    return holder.equals(other.holder)
        && transitions == other.transitions
        && equal(acquired, other.acquired)
        && equal(renewed, other.renewed);
  }

  private static boolean equal(@Nullable Instant a, @Nullable Instant b) {
    return a == null ? b == null : a.equals(b);
  }

  /** Returns the first renewal of a new term. */
  LeaseRecord takenBy(String identity, Duration lease, Instant now) {
    Instant time = differentFrom(renewed, now);
    return new LeaseRecord(identity, lease, time, time, transitions + 1, version);
  }

  /** Returns the next renewal of the same term. */
  LeaseRecord renewed(Duration lease, Instant now) {
    return new LeaseRecord(
        holder, lease, acquired, differentFrom(renewed, now), transitions, version);
  }

  /** Returns the record that releases the lease. */
  LeaseRecord released(Instant now) {
    return new LeaseRecord(
        "", RELEASED, acquired, differentFrom(renewed, now), transitions, version);
  }

  /**
   * Returns the time of a renewal. Other replicas distinguish renewals by their times, so the times
   * must differ even while a wall clock stands still. If the clock was set back, its time is used
   * as it is.
   */
  private static Instant differentFrom(@Nullable Instant last, Instant now) {
    Instant time = now.truncatedTo(ChronoUnit.MICROS); // as precise as the Lease
    if (last == null || time.isAfter(last) || !time.plus(STANDING_STILL).isAfter(last)) {
      return time;
    }
    return last.plus(1, ChronoUnit.MICROS);
  }
}
