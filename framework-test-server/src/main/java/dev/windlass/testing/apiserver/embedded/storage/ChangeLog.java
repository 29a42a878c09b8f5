// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.storage;

import java.util.ArrayList;
import java.util.List;

/**
 * The latest changes to one resource, in order. When the log is full, each new change displaces the
 * oldest change. This class is not thread-safe: instances are guarded by the store's lock.
 *
 * <p>Positions count the changes to the resource from 0 and never restart. A reader that stores a
 * position can therefore detect whether it missed a change.
 */
public final class ChangeLog {
  private final int capacity;
  private final List<Change> ring = new ArrayList<>();
  private long first;
  private long end;

  /** The position stored in slot 0 of the ring. */
  private long base;

  /** The lowest revision from which reading can resume. */
  private long floor;

  /** Creates a log of at most {@code capacity} changes, with no history before {@code floor}. */
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

  /** Returns the position of the oldest change that is still known. */
  public long first() {
    return first;
  }

  /** Returns the position of the next change. */
  public long end() {
    return end;
  }

  /** Returns the change at a position between {@link #first()} and {@link #end()}. */
  public Change at(long position) {
    return ring.get(slot(position));
  }

  private int slot(long position) {
    return (int) ((position - base) % capacity);
  }

  /** Returns the oldest revision after which all changes are known. */
  public long floor() {
    return floor;
  }

  /**
   * Returns the position of the first change after {@code revision}, which must not be below the
   * floor.
   */
  public long after(long revision) {
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

  /** Discards all changes up to and including {@code revision}. */
  void forget(long revision) {
    first = end;
    base = end;
    ring.clear();
    floor = revision;
  }
}
