// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import java.util.ArrayList;
import java.util.List;

/**
 * The latest changes of one resource, in order; the oldest is forgotten when a new one finds the
 * log full. Not safe for use by several threads: the store's lock guards it.
 *
 * <p>Positions count the changes of the resource from 0 for ever, so a reader that keeps a position
 * can tell whether it missed something.
 */
final class ChangeLog {
  private final int capacity;
  private final List<Change> ring = new ArrayList<>();
  private long first;
  private long end;

  /** The position that is in slot 0 of the ring. */
  private long base;

  /** Revisions up to this one, itself excluded, cannot be read on from any more. */
  private long floor;

  /** A log of at most {@code capacity} changes that knows nothing before {@code floor}. */
  ChangeLog(int capacity, long floor) {
    this.capacity = capacity;
    this.floor = floor;
  }

  void append(Change change) {
    if (end - first == capacity) {
      floor = at(first).revision();
      first++;
    }
    int slot = slot(end);
    if (slot < ring.size()) {
      ring.set(slot, change);
    } else {
      ring.add(change);
    }
    end++;
  }

  /** The position of the oldest change that is still known. */
  long first() {
    return first;
  }

  /** The position that the next change gets. */
  long end() {
    return end;
  }

  /** The change at a position between {@link #first()} and {@link #end()}. */
  Change at(long position) {
    return ring.get(slot(position));
  }

  private int slot(long position) {
    return (int) ((position - base) % capacity);
  }

  /** The oldest revision after which all changes are known. */
  long floor() {
    return floor;
  }

  /** The position of the first change after {@code revision}, which is not below the floor. */
  long after(long revision) {
    long low = first;
    long high = end;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (at(middle).revision() <= revision) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Forgets all changes, up to and including {@code revision}. */
  void forget(long revision) {
    first = end;
    base = end;
    ring.clear();
    floor = revision;
  }
}
