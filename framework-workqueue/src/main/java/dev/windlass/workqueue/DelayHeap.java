// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A heap of entries that wait for their deadlines. Entries with the same deadline leave the heap in
 * order of arrival. Each entry stores its own position, so that it can be moved or removed without
 * a search.
 *
 * <p>In a large heap, memory accesses dominate the cost. Each node therefore has four children
 * instead of two, which halves the height of the heap. The deadlines are stored in a separate
 * array, so that the deadlines of siblings are adjacent in memory.
 *
 * <p>Times are readings of a monotonic clock, in nanoseconds. The caller provides them; this class
 * does not read a clock. This class is not thread-safe.
 */
final class DelayHeap<T> {

  private static final int CHILDREN = 4;
  private static final int SMALLEST = 16;

  /** The minimum capacity for which memory is released when the heap becomes empty. */
  private static final int LARGE = 1_024;

  private @Nullable QueueEntry<T>[] heap = newArray(SMALLEST);
  private long[] deadlines = new long[SMALLEST];
  private int size;
  private long sequence;

  void add(QueueEntry<T> entry, long dueAt) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
      deadlines = Arrays.copyOf(deadlines, 2 * size);
    }
    entry.readyAt = dueAt;
    entry.rank = sequence++;
    siftUp(entry, size++);
  }

  /**
   * Sets an earlier deadline for an entry in the heap. Has no effect if the given deadline is not
   * earlier.
   */
  void advance(QueueEntry<T> entry, long dueAt) {
    if (dueAt - entry.readyAt < 0) {
      entry.readyAt = dueAt;
      entry.rank = sequence++;
      siftUp(entry, entry.position);
    }
  }

  void remove(QueueEntry<T> entry) {
    QueueEntry<T> last = at(--size);
    heap[size] = null;
    if (last != entry) {
      siftDown(last, entry.position);
      siftUp(last, last.position);
    }
    if (size == 0 && heap.length >= LARGE) {
      clear();
    }
  }

  @Nullable QueueEntry<T> pollDue(long now) {
    if (size == 0 || deadlines[0] - now > 0) {
      return null;
    }
    QueueEntry<T> entry = at(0);
    remove(entry);
    return entry;
  }

  /** Removes and returns all entries. The order is unspecified. */
  List<QueueEntry<T>> clear() {
    List<QueueEntry<T>> all = new ArrayList<>(size);
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

  /** Returns the earliest deadline. The heap must not be empty. */
  long nextDue() {
    return deadlines[0];
  }

  /**
   * Returns the entries with the earliest deadlines, at most {@code limit}, in the order of their
   * deadlines.
   */
  List<QueueEntry<T>> soonest(int limit) {
    List<QueueEntry<T>> found = new ArrayList<>();
    // An entry can be next only after its parent, so there are never many candidates.
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

  private void siftUp(QueueEntry<T> entry, int from) {
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

  private void siftDown(QueueEntry<T> entry, int from) {
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

  private boolean isBefore(QueueEntry<T> entry, int position) {
    long byDue = entry.readyAt - deadlines[position];
    return byDue != 0 ? byDue < 0 : entry.rank < at(position).rank;
  }

  private void put(QueueEntry<T> entry, int position) {
    heap[position] = entry;
    deadlines[position] = entry.readyAt;
    entry.position = position;
  }

  private QueueEntry<T> at(int position) {
    return Objects.requireNonNull(heap[position]);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // generic arrays cannot be created
  private static <T> @Nullable QueueEntry<T>[] newArray(int length) {
    return (QueueEntry<T>[]) new QueueEntry[length];
  }
}
