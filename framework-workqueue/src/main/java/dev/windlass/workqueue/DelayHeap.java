// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The entries that wait for a point in time, as a heap in which each has four children. Each entry
 * knows its position, so that one which is due sooner now, or not at all any more, is moved without
 * being searched.
 *
 * <p>With many entries, time is spent on waiting for memory: therefore four children instead of
 * two, which halves the height, and the deadlines in an array of their own, where those of siblings
 * lie side by side.
 *
 * <p>Entries of one deadline leave in the order in which they came. Times are monotonic nanoseconds
 * and are given, never read. Not thread safe.
 */
final class DelayHeap<T> {

  private static final int CHILDREN = 4;
  private static final int SMALLEST = 16;

  /** From how many places on the memory is given back when the heap runs empty. */
  private static final int LARGE = 1_024;

  private @Nullable Entry<T>[] heap = newArray(SMALLEST);
  private long[] deadlines = new long[SMALLEST];
  private int size;
  private long sequence;

  /** Lets an entry wait that does not yet. */
  void add(Entry<T> entry, long dueAt) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
      deadlines = Arrays.copyOf(deadlines, 2 * size);
    }
    entry.readyAt = dueAt;
    entry.rank = sequence++;
    siftUp(entry, size++);
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
    Entry<T> last = at(--size);
    heap[size] = null;
    if (last != entry) {
      siftDown(last, entry.position);
      siftUp(last, last.position);
    }
    if (size == 0 && heap.length >= LARGE) {
      clear();
    }
  }

  /** Takes out the entry with the earliest deadline if that has come; else returns null. */
  @Nullable Entry<T> pollDue(long now) {
    if (size == 0 || deadlines[0] - now > 0) {
      return null;
    }
    Entry<T> entry = at(0);
    remove(entry);
    return entry;
  }

  /** Takes out all entries, in no order. */
  List<Entry<T>> clear() {
    List<Entry<T>> all = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      all.add(at(i));
    }
    heap = newArray(SMALLEST);
    deadlines = new long[SMALLEST];
    size = 0;
    return all;
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  /** The earliest deadline. There must be one. */
  long nextDue() {
    return deadlines[0];
  }

  /** The entries that are due next, in order, at most {@code limit} of them. */
  List<Entry<T>> soonest(int limit) {
    List<Entry<T>> found = new ArrayList<>();
    // An entry can only be next once its parent was, so few positions are candidates at a time.
    PriorityQueue<Integer> candidates = new PriorityQueue<>((a, b) -> isBefore(at(a), b) ? -1 : 1);
    for (int position = 0; position < size && found.size() < limit; ) {
      found.add(at(position));
      int child = CHILDREN * position + 1;
      for (int end = Math.min(child + CHILDREN, size); child < end; child++) {
        candidates.add(child);
      }
      Integer next = candidates.poll();
      position = next == null ? size : next;
    }
    return found;
  }

  private void siftUp(Entry<T> entry, int from) {
    int position = from;
    while (position > 0) {
      int parent = (position - 1) / CHILDREN;
      if (!isBefore(entry, parent)) {
        break;
      }
      put(at(parent), position);
      position = parent;
    }
    put(entry, position);
  }

  private void siftDown(Entry<T> entry, int from) {
    int position = from;
    while (CHILDREN * position + 1 < size) {
      int first = firstChild(position);
      if (isBefore(entry, first)) {
        break;
      }
      put(at(first), position);
      position = first;
    }
    put(entry, position);
  }

  /** The position of that child which is due before its siblings. */
  private int firstChild(int parent) {
    int first = CHILDREN * parent + 1;
    int end = Math.min(first + CHILDREN, size);
    for (int child = first + 1; child < end; child++) {
      if (deadlines[child] - deadlines[first] < 0
          || (deadlines[child] == deadlines[first] && at(child).rank < at(first).rank)) {
        first = child;
      }
    }
    return first;
  }

  /** Whether an entry, wherever it is, is due before the one at that position. */
  private boolean isBefore(Entry<T> entry, int position) {
    long byDue = entry.readyAt - deadlines[position];
    return byDue != 0 ? byDue < 0 : entry.rank < at(position).rank;
  }

  private void put(Entry<T> entry, int position) {
    heap[position] = entry;
    deadlines[position] = entry.readyAt;
    entry.position = position;
  }

  private Entry<T> at(int position) {
    return Objects.requireNonNull(heap[position]);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // no array can be made of a type with parameters
  private static <T> @Nullable Entry<T>[] newArray(int length) {
    return (Entry<T>[]) new Entry[length];
  }
}
