// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The content of a Lease. Its times are informational, and are never compared with a clock.
 *
 * @param holder the identity of the holder; empty if there is none
 * @param duration the time for which other replicas wait after a change before one of them acquires
 *     the lease
 * @param acquired the time at which the holder acquired the lease
 * @param renewed the time of the holder's last renewal
 * @param transitions the number of times that the holder has changed
 * @param version the resourceVersion that a write requires; empty if the Lease does not exist
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

  /**
   * The time by which a wall clock must be behind the last renewal to count as set back: 1 s. With
   * a smaller difference, the clock counts as stopped.
   */
  private static final Duration STANDING_STILL = Duration.ofSeconds(1);

  /** The record of a Lease that does not exist. */
  static final LeaseRecord NONE = new LeaseRecord("", Duration.ZERO, null, null, 0, "");

  boolean isFree() {
    return holder.isEmpty();
  }

  /** Returns whether the given record has the same content, regardless of the version. */
  boolean saysTheSameAs(LeaseRecord other) {
    return isClaimOf(other) && duration.equals(other.duration);
  }

  /** Returns whether both records represent the same renewal by the same holder. */
  boolean isClaimOf(LeaseRecord other) {
    return holder.equals(other.holder)
        && transitions == other.transitions
        && equal(acquired, other.acquired)
        && equal(renewed, other.renewed);
  }

  private static boolean equal(@Nullable Instant a, @Nullable Instant b) {
    return a == null ? b == null : a.equals(b);
  }

  /** Returns the record that a replica writes to acquire the lease. */
  LeaseRecord takenBy(String identity, Duration lease, Instant now) {
    Instant time = differentFrom(renewed, now);
    int next = (transitions + 1) & Integer.MAX_VALUE; // the server rejects negative numbers
    return new LeaseRecord(identity, lease, time, time, next, version);
  }

  /** Returns the record that the holder writes to renew the lease. */
  LeaseRecord renewed(Duration lease, Instant now) {
    return new LeaseRecord(
        holder, lease, acquired, differentFrom(renewed, now), transitions, version);
  }

  /** Returns the record that the holder writes to release the lease. */
  LeaseRecord released(Instant now) {
    return new LeaseRecord(
        "", RELEASED, acquired, differentFrom(renewed, now), transitions, version);
  }

  /**
   * Returns the time to write for a renewal. The time must differ from that of the last renewal,
   * because other replicas detect a renewal by its time. If the wall clock has stopped, the result
   * is one microsecond later than the last renewal. If the wall clock was set back, the result is
   * its current time.
   */
  private static Instant differentFrom(@Nullable Instant last, Instant now) {
    Instant time = now.truncatedTo(ChronoUnit.MICROS); // the precision of a Lease
    if (last == null || time.isAfter(last) || !time.plus(STANDING_STILL).isAfter(last)) {
      return time;
    }
    return last.plus(1, ChronoUnit.MICROS);
  }
}
