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
   * The last observed record, if it names another holder, or this replica after the end of its
   * term; otherwise {@link LeaseRecord#NONE}. The deletion of the Lease does not change this field,
   * because the holder may not have noticed the deletion and may still act as the leader.
   */
  private LeaseRecord held = LeaseRecord.NONE;

  /**
   * The time at which {@link #held} was first observed, as a value of {@link Scheduler#nanoTime}.
   */
  private long heldSince;

  private boolean ours;

  /** The last write that the server has accepted. */
  private LeaseRecord accepted = LeaseRecord.NONE;

  /** The later writes, which the server may have accepted, newest first. */
  private final Deque<LeaseRecord> tried = new ArrayDeque<>();

  /** Whether the term to which {@link #accepted} belongs has ended. */
  private boolean ended;

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

  void trying(LeaseRecord record) {
    tried.addFirst(record);
    if (tried.size() > REMEMBERED) {
      tried.removeLast();
    }
  }

  void wrote(LeaseRecord record) {
    last = record;
    held = LeaseRecord.NONE;
    ours = record.holder().equals(identity);
    accepted = record;
    tried.clear();
    ended = false;
  }

  void lost(long now) {
    ended = true;
    if (ours) {
      held = last;
      heldSince = now;
    }
  }

  /**
   * Records a Lease that was read, and returns its state. This replica holds the Lease only if the
   * record contains its identity and matches its last write. The identity alone is not sufficient,
   * because another process can have the same identity. After the end of a term, even the version
   * must match, because another replica could have led in the meantime.
   */
  Finding look(LeaseRecord record, long now) {
    LeaseRecord before = last;
    boolean wasOurs = ours;
    last = record;
    ours = record.holder().equals(identity) && isLastWrite(record);
    if (record.version().isEmpty()) {
      return Finding.GONE;
    }
    if ((ours && !ended) || record.isFree()) {
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

  private boolean isLastWrite(LeaseRecord record) {
    return tried.stream().anyMatch(record::isClaimOf)
        || (ended ? record.version().equals(accepted.version()) : record.isClaimOf(accepted));
  }

  /**
   * Returns how long another replica may still hold the lease. This is the case if the last record
   * names another holder, and the lease duration has not passed since this replica first observed
   * the record. The lease duration is the one in the record, or this replica's own if that is
   * longer, because the record may have been edited manually.
   *
   * @param idle whether the requests of this replica's last term have ended. If so, it need not
   *     wait for a Lease that no client has written since
   */
  Duration heldFor(long now, boolean idle) {
    if (held.isFree() || (ours && idle)) {
      return Duration.ZERO;
    }
    Duration stated = held.duration();
    Duration own = options.leaseDuration();
    Duration left = (stated.compareTo(own) < 0 ? own : stated).minus(unchangedFor(now));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Returns how long the record of another holder has not changed. */
  Duration unchangedFor(long now) {
    return Duration.ofNanos(now - heldSince);
  }

  /**
   * Returns the record that this replica writes to acquire the lease or, if it already holds the
   * lease, to renew it.
   */
  LeaseRecord claimed(Instant now) {
    return ours ? renewed(now) : last.takenBy(identity, options.stated(), now);
  }

  LeaseRecord renewed(Instant now) {
    return last.renewed(options.stated(), now);
  }

  LeaseRecord released(Instant now) {
    return last.released(now);
  }
}
