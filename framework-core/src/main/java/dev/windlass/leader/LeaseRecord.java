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
 * @param duration the time that other replicas wait after a change before one of them acquires the
 *     lease
 * @param acquired the time at which the holder acquired the lease
 * @param renewed the time of the holder's last renewal
 * @param transitions the number of times that the holder has changed
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

  /**
   * The lag behind the last renewal from which a wall clock counts as set back instead of stopped:
   * 1 s.
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

  /** Returns the record with which a replica acquires the lease. */
  LeaseRecord takenBy(String identity, Duration lease, Instant now) {
    Instant time = differentFrom(renewed, now);
    return new LeaseRecord(identity, lease, time, time, transitions + 1, version);
  }

  /** Returns the record with which the holder renews the lease. */
  LeaseRecord renewed(Duration lease, Instant now) {
    return new LeaseRecord(
        holder, lease, acquired, differentFrom(renewed, now), transitions, version);
  }

  /** Returns the record with which the holder releases the lease. */
  LeaseRecord released(Instant now) {
    return new LeaseRecord(
        "", RELEASED, acquired, differentFrom(renewed, now), transitions, version);
  }

  /**
   * Returns the time of a renewal. Other replicas distinguish renewals by their times, so the times
   * must differ even while a wall clock is stopped. If the clock was set back, its time is used
   * unchanged.
   */
  private static Instant differentFrom(@Nullable Instant last, Instant now) {
    Instant time = now.truncatedTo(ChronoUnit.MICROS); // the precision of a Lease
    if (last == null || time.isAfter(last) || !time.plus(STANDING_STILL).isAfter(last)) {
      return time;
    }
    return last.plus(1, ChronoUnit.MICROS);
  }
}
