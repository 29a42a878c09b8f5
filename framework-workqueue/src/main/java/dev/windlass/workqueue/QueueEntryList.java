// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A doubly linked list of entries, in the order in which they were appended. The entries themselves
 * contain the links. The list therefore allocates no memory, and removes an entry without a search.
 * An entry can be in only one list at a time.
 *
 * <p>This class is not thread-safe.
 */
final class QueueEntryList<T> {

  private @Nullable QueueEntry<T> first;
  private @Nullable QueueEntry<T> last;
  private int size;

  void append(QueueEntry<T> entry) {
    QueueEntry<T> before = last;
    entry.previous = before;
    if (before == null) {
      first = entry;
    } else {
      before.next = entry;
    }
    last = entry;
    size++;
  }

  void remove(QueueEntry<T> entry) {
    QueueEntry<T> before = entry.previous;
    QueueEntry<T> after = entry.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    entry.previous = null;
    entry.next = null;
    size--;
  }

  @Nullable QueueEntry<T> first() {
    return first;
  }

  int size() {
    return size;
  }

  void forEach(Consumer<QueueEntry<T>> action) {
    for (QueueEntry<T> entry = first; entry != null; entry = entry.next) {
      action.accept(entry);
    }
  }
}
