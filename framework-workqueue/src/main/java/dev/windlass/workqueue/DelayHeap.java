// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The entries that wait for a point in time, as a binary heap. Each entry knows its position, so
 * that one which is due sooner now, or not at all any more, is moved without being searched.
 *
 * <p>Entries of one deadline leave in the order in which they came. Times are monotonic nanoseconds
 * and are given, never read. Not thread safe.
 */
final class DelayHeap<T> {

  /** From how many entries on the memory is given back when the heap runs empty. */
  private static final int LARGE = 1_024;

  private ArrayList<Entry<T>> heap = new ArrayList<>();
  private int peak;
  private long sequence;

  /** Lets an entry wait that does not yet. */
  void add(Entry<T> entry, long dueAt) {
    entry.readyAt = dueAt;
    entry.rank = sequence++;
    heap.add(entry);
    peak = Math.max(peak, heap.size());
    siftUp(entry, heap.size() - 1);
  }

  /** Gives an entry that waits an earlier deadline; a later one changes nothing. */
  void advance(Entry<T> entry, long dueAt) {
    if (dueAt - entry.readyAt < 0) {
      entry.readyAt = dueAt;
      entry.rank = sequence++;
      siftUp(entry, entry.position);
    }
  }

  /** Takes out an entry that waits, whenever it is due. */
  void remove(Entry<T> entry) {
    Entry<T> last = heap.remove(heap.size() - 1);
    if (last != entry) {
      siftDown(last, entry.position);
      siftUp(last, last.position);
    }
    if (heap.isEmpty() && peak > LARGE) {
      heap = new ArrayList<>();
      peak = 0;
    }
  }

  /** Takes out the entry with the earliest deadline if that has come; else returns null. */
  @Nullable Entry<T> pollDue(long now) {
    if (heap.isEmpty() || heap.get(0).readyAt - now > 0) {
      return null;
    }
    Entry<T> entry = heap.get(0);
    remove(entry);
    return entry;
  }

  /** Takes out all entries, in no order. */
  List<Entry<T>> clear() {
    List<Entry<T>> all = heap;
    heap = new ArrayList<>();
    peak = 0;
    return all;
  }

  boolean isEmpty() {
    return heap.isEmpty();
  }

  int size() {
    return heap.size();
  }

  /** The earliest deadline. There must be one. */
  long nextDue() {
    return heap.get(0).readyAt;
  }

  /** The entries that are due next, in order, at most {@code limit} of them. */
  List<Entry<T>> soonest(int limit) {
    List<Entry<T>> found = new ArrayList<>();
    // An entry can only be next once its parent was, so few positions are candidates at a time.
    PriorityQueue<Integer> candidates =
        new PriorityQueue<>((a, b) -> isBefore(heap.get(a), heap.get(b)) ? -1 : 1);
    for (int position = 0; position < heap.size() && found.size() < limit; ) {
      found.add(heap.get(position));
      for (int child = 2 * position + 1; child <= 2 * position + 2; child++) {
        if (child < heap.size()) {
          candidates.add(child);
        }
      }
      Integer next = candidates.poll();
      position = next == null ? heap.size() : next;
    }
    return found;
  }

  private void siftUp(Entry<T> entry, int from) {
    int position = from;
    while (position > 0) {
      Entry<T> parent = heap.get((position - 1) / 2);
      if (!isBefore(entry, parent)) {
        break;
      }
      put(parent, position);
      position = (position - 1) / 2;
    }
    put(entry, position);
  }

  private void siftDown(Entry<T> entry, int from) {
    int position = from;
    for (int child = 2 * position + 1; child < heap.size(); child = 2 * position + 1) {
      if (child + 1 < heap.size() && isBefore(heap.get(child + 1), heap.get(child))) {
        child++;
      }
      if (!isBefore(heap.get(child), entry)) {
        break;
      }
      put(heap.get(child), position);
      position = child;
    }
    put(entry, position);
  }

  private void put(Entry<T> entry, int position) {
    heap.set(position, entry);
    entry.position = position;
  }

  private static boolean isBefore(Entry<?> a, Entry<?> b) {
    long byDue = a.readyAt - b.readyAt;
    return byDue != 0 ? byDue < 0 : a.rank < b.rank;
  }
}
