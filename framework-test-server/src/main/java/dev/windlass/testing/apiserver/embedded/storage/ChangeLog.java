// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.storage;

import java.util.ArrayList;
import java.util.List;

/**
 * The latest changes to one resource, in order. When the log is full, each new change replaces the
 * oldest one. This class is not thread-safe; the store's lock guards its instances.
 *
 * <p>The log numbers its changes. The positions start at 0 and are never reused. A reader that
 * stores a position can therefore detect whether it has missed a change.
 */
public final class ChangeLog {
  private final int capacity;
  private final List<Change> ring = new ArrayList<>();
  private long first;
  private long end;

  /**
   * The position of the first change that was stored in slot 0 of the ring after the log was last
   * cleared.
   */
  private long base;

  /** The lowest revision after which reading can resume. */
  private long floor;

  /**
   * Creates an empty log that keeps at most {@code capacity} changes. Readers can resume after
   * {@code floor} or any later revision.
   */
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

  /** Returns the position of the oldest change that the log still contains. */
  public long first() {
    return first;
  }

  /** Returns the position that the next change will have. */
  public long end() {
    return end;
  }

  /**
   * Returns the change at a position. The position must be at least {@link #first()} and less than
   * {@link #end()}.
   */
  public Change at(long position) {
    return ring.get(slot(position));
  }

  private int slot(long position) {
    return (int) ((position - base) % capacity);
  }

  /** Returns the lowest revision after which the log contains all changes. */
  public long floor() {
    return floor;
  }

  /**
   * Returns the position of the first change after {@code revision}, which must not be lower than
   * the floor.
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

  /**
   * Discards all changes. The floor becomes {@code revision}, which must not be lower than that of
   * any discarded change.
   */
  void forget(long revision) {
    first = end;
    base = end;
    ring.clear();
    floor = revision;
  }
}
