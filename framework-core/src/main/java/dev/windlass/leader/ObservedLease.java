// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The Lease's state as observed by one replica: the holder, and the time at which the current
 * content was first observed. Only the elector's thread uses this class.
 */
final class ObservedLease {

  /** The state of a Lease that was read. */
  enum Finding {
    OURS("was edited"),
    FREE("had its holder removed"),
    GONE("was deleted"),
    OTHERS("is held by another process");

    private final String description;

    Finding(String description) {
      this.description = description;
    }

    String description() {
      return description;
    }
  }

  /**
   * The maximum number of this replica's writes in {@link #tried}. This class remembers writes,
   * because their responses may have been lost.
   */
  private static final int REMEMBERED = 16;

  private final LeaderElectionOptions options;
  private final String identity;

  private LeaseRecord last = LeaseRecord.NONE;

  /**
   * The last observed record, if it names another holder; otherwise {@link LeaseRecord#NONE}. The
   * deletion of the Lease does not change this field, because the holder may not have noticed the
   * deletion and may still act as the leader.
   */
  private LeaseRecord held = LeaseRecord.NONE;

  /** The time at which {@link #held} was first observed, in monotonic nanoseconds. */
  private long heldSince;

  private boolean ours;

  /** The writes that the server may have accepted, newest first. */
  private final Deque<LeaseRecord> tried = new ArrayDeque<>();

  ObservedLease(LeaderElectionOptions options, String identity) {
    this.options = options;
    this.identity = identity;
  }

  String identity() {
    return identity;
  }

  /** Returns the lease holder, or an empty string if there is none. */
  String holder() {
    return last.holder();
  }

  /** Returns whether this replica held the lease when it was last read or written. */
  boolean isOurs() {
    return ours;
  }

  /** Records a write before it is sent. */
  void trying(LeaseRecord record) {
    tried.addFirst(record);
    if (tried.size() > REMEMBERED) {
      tried.removeLast();
    }
  }

  /** Records that the server has accepted a write. */
  void wrote(LeaseRecord record) {
    last = record;
    held = LeaseRecord.NONE;
    ours = record.holder().equals(identity);
  }

  /**
   * Records a Lease that was read, and returns its state. This replica's identity in the Lease does
   * not prove that this replica holds it, because another process can have the same identity. The
   * record must also be one that this replica has written.
   */
  Finding look(LeaseRecord record, long now) {
    LeaseRecord before = last;
    boolean wasOurs = ours;
    last = record;
    ours = record.holder().equals(identity) && tried.stream().anyMatch(record::isClaimOf);
    if (record.version().isEmpty()) {
      return Finding.GONE;
    }
    if (ours || record.isFree()) {
      held = LeaseRecord.NONE;
    } else if (!record.saysTheSameAs(held)) {
      held = record;
      heldSince = now; // the record changed no later than now
    }
    if (record.isFree()) {
      boolean sameTerm = wasOurs && record.transitions() == before.transitions();
      return sameTerm || !wasOurs ? Finding.FREE : Finding.OTHERS;
    }
    return ours ? Finding.OURS : Finding.OTHERS;
  }

  /**
   * Returns whether another replica may hold the lease. This is the case if the last record named
   * another holder and was first observed less than its lease duration ago. The lease duration is
   * the one in the record, but at least this replica's own lease duration, because the record may
   * have been edited manually.
   */
  boolean mayBeHeld(long now) {
    if (held.isFree()) {
      return false;
    }
    Duration stated = held.duration();
    Duration own = options.leaseDuration();
    return now - heldSince < Scheduler.saturatedNanos(stated.compareTo(own) < 0 ? own : stated);
  }

  /**
   * Returns the record with which this replica acquires the lease or, if it already holds the
   * lease, renews it.
   */
  LeaseRecord claimed(Instant now) {
    return ours ? renewed(now) : last.takenBy(identity, options.stated(), now);
  }

  /** Returns the record with which this replica renews the lease. */
  LeaseRecord renewed(Instant now) {
    return last.renewed(options.stated(), now);
  }

  /** Returns the record with which this replica releases the lease. */
  LeaseRecord released(Instant now) {
    return last.released(now);
  }
}
