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
   * The maximum number of this replica's writes that are remembered. A write can take effect even
   * if its response is lost, and must then be recognised in the Lease.
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

  /**
   * The time at which {@link #held} was first observed, as a value of {@link Scheduler#nanoTime}.
   */
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

  /** Returns whether this replica held the lease at the last read or write. */
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
   * Records a Lease that was read, and returns its state. This replica holds the Lease only if the
   * record contains its identity and matches one of its writes. The identity alone is not
   * sufficient, because another process can have the same identity.
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
   * Returns whether another replica may hold the lease. This is the case if the last record names
   * another holder, and the lease duration has not passed since this replica first observed the
   * record. The lease duration is the one in the record, or this replica's own if that is longer,
   * because the record may have been edited manually.
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
   * Returns the record that this replica writes to acquire the lease or, if it already holds the
   * lease, to renew it.
   */
  LeaseRecord claimed(Instant now) {
    return ours ? renewed(now) : last.takenBy(identity, options.stated(), now);
  }

  /** Returns the record that this replica writes to renew the lease. */
  LeaseRecord renewed(Instant now) {
    return last.renewed(options.stated(), now);
  }

  /** Returns the record that this replica writes to release the lease. */
  LeaseRecord released(Instant now) {
    return last.released(now);
  }
}
