// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What one replica has seen of the Lease and written into it: whose it is, and since when it has
 * not changed. For use by the elector's thread.
 */
final class LeaseSight {

  /** Whose a Lease is that was read. */
  enum Finding {
    OURS("was edited"),
    FREE("was taken from its holder"),
    GONE("was deleted"),
    OTHERS("is held by somebody else");

    private final String says;

    Finding(String says) {
      this.says = says;
    }

    String says() {
      return says;
    }
  }

  /** How many of our writes are remembered whose answer may have got lost. */
  private static final int REMEMBERED = 16;

  private final LeaderElectionOptions options;
  private final String identity;

  private LeaseRecord last = LeaseRecord.NONE;

  /**
   * The last record that named somebody else as the holder, until a record takes its place that
   * says otherwise. A deleted Lease does not: its holder may not know of that, and still acts.
   */
  private LeaseRecord held = LeaseRecord.NONE;

  /** When {@link #held} was seen for the first time. */
  private long heldSince;

  private boolean ours;

  /** Writes that the server may have accepted, the last one first. */
  private final Deque<LeaseRecord> tried = new ArrayDeque<>();

  LeaseSight(LeaderElectionOptions options, String identity) {
    this.options = options;
    this.identity = identity;
  }

  String identity() {
    return identity;
  }

  /** Who holds it; empty if nobody does. */
  String holder() {
    return last.holder();
  }

  /** Whether the last that we know of it is that we hold it. */
  boolean isOurs() {
    return ours;
  }

  /** Notes a write before it is sent. */
  void trying(LeaseRecord record) {
    tried.addFirst(record);
    if (tried.size() > REMEMBERED) {
      tried.removeLast();
    }
  }

  /** Notes that the server has accepted a write. */
  void wrote(LeaseRecord record) {
    last = record;
    held = LeaseRecord.NONE;
    ours = record.holder().equals(identity);
  }

  /**
   * Notes what was read, and says whose it is. Our identity alone proves nothing: somebody may have
   * been given the same one. It must be a record that we have written.
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
      heldSince = now; // no earlier than it changed
    }
    if (record.isFree()) {
      boolean sameTerm = wasOurs && record.transitions() == before.transitions();
      return sameTerm || !wasOurs ? Finding.FREE : Finding.OTHERS;
    }
    return ours ? Finding.OURS : Finding.OTHERS;
  }

  /**
   * Whether somebody else may hold it: it was last seen with another holder, and that record has
   * not been there for as long as its holder may take. That is what the record says, but no less
   * than our own lease duration, because it may have been edited by hand.
   */
  boolean mayBeHeld(long now) {
    if (held.isFree()) {
      return false;
    }
    Duration stated = held.duration();
    Duration own = options.leaseDuration();
    return now - heldSince < Scheduler.saturatedNanos(stated.compareTo(own) < 0 ? own : stated);
  }

  /** The record by which we take it, or, if it is ours, keep it. */
  LeaseRecord claimed(Instant now) {
    return ours ? renewed(now) : last.takenBy(identity, options.stated(), now);
  }

  /** The record by which we keep it. */
  LeaseRecord renewed(Instant now) {
    return last.renewed(options.stated(), now);
  }

  /** The record by which we give it back. */
  LeaseRecord released(Instant now) {
    return last.released(now);
  }
}
