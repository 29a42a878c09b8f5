// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.notify.CompactingEventList.Slot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pending events of one handler, first in, first out. If too many events are pending, the
 * events of each key are compacted.
 *
 * <p>Once the number of pending events reaches the given limit, at most three further events are
 * stored for each key. The last state and the deletion of every object that the handler has
 * received are always delivered, in order. {@link CompactingEventList} defines the rules.
 *
 * <p>Any thread can call the methods, but callers must ensure that only one thread at a time adds
 * events, and that only one thread takes them. This class takes events from the list in batches.
 * Events of a batch are no longer compacted, but still count as pending in {@link #size} until
 * {@link #take} has returned them.
 */
final class PendingEvents<T> {

  /**
   * The maximum number of slots that are taken from the list together. A shutdown does not wait
   * until the handler has handled them.
   */
  private static final int BATCH = 100;

  private final int bound;

  @GuardedBy("this")
  private CompactingEventList<T> waiting;

  /**
   * The number of the last batch that was passed to {@link #add(List, long, long)}; -1 if there was
   * none.
   */
  @GuardedBy("this")
  private long batch = -1;

  /** How many events of that batch have been added. */
  @GuardedBy("this")
  private int takenIn;

  /**
   * Whether this instance is closed. {@link #close()} sets this field under the lock, before it
   * drops the events of the batch.
   */
  private volatile boolean closed;

  /**
   * The first unreleased slot of the batch that was taken from the list, linked to the slots after
   * it. The thread that takes events sets this field.
   */
  private volatile @Nullable Slot<T> inHand;

  /**
   * The number of events of the batch taken from the list that {@link #take} has not returned yet.
   */
  private volatile int inHandSize;

  PendingEvents(int bound) {
    this.bound = bound;
    waiting = new CompactingEventList<>(bound);
  }

  /**
   * Adds an event.
   *
   * @return whether the list was empty before, in which case the caller must wake the thread that
   *     takes events
   */
  synchronized boolean add(ResourceEvent<T> event, long now) {
    boolean wasEmpty = waiting.first() == null;
    append(event, now);
    return wasEmpty;
  }

  /**
   * Adds a batch of events. A call with the number of the last batch adds only the missing events
   * of that batch, so a call that threw an exception can be repeated.
   *
   * @param number the number of the batch, zero or more
   * @return whether the caller must wake the thread that takes events
   */
  synchronized boolean add(List<ResourceEvent<T>> events, long number, long now) {
    if (number != batch) {
      batch = number;
      takenIn = 0;
    }
    boolean wasEmpty =
        waiting.first() == null || takenIn > 0; // a call that failed midway did not cause a wake-up
    while (takenIn < events.size()) {
      append(events.get(takenIn), now);
      takenIn++;
    }
    return wasEmpty;
  }

  /**
   * Marks the end of the first list of objects. {@link #take} reaches the mark after all events
   * that are pending now.
   */
  synchronized void addMark(long now) {
    if (!closed) {
      waiting.appendMark(now);
    }
  }

  /**
   * Returns the slot of the next event or mark, or null if there is none. The caller must release
   * the slot with {@link #done} before the next call.
   */
  @Nullable Slot<T> take() {
    Slot<T> slot = inHand;
    if (slot == null) {
      slot = refill();
    }
    if (slot != null && slot.event() != null) {
      countHandedOut(inHandSize);
    }
    return slot;
  }

  /**
   * Counts one event of the batch as returned. While the batch contains events, the only other
   * method that writes the counter is {@link #close()}.
   */
  void countHandedOut(int before) {
    inHandSize = before - 1;
    dropIfClosed();
  }

  /** Releases the slot that {@link #take} returned. */
  void done(Slot<T> slot) {
    hold(slot.next());
  }

  /**
   * Makes the given slot the next slot to return; null means that there is no slot left in the
   * batch. The caller read the slot without the lock, so {@link #close()} may already have run.
   */
  void hold(@Nullable Slot<T> next) {
    inHand = next;
    dropIfClosed();
  }

  /**
   * Drops the events of the batch if this instance is closed. Callers must call this method after
   * each write without the lock, so that either this method or {@link #close()} observes the write
   * of the other one.
   */
  private void dropIfClosed() {
    if (closed) {
      inHand = null;
      inHandSize = 0;
    }
  }

  /** Returns the number of events that {@link #take} has not returned yet. */
  synchronized int size() {
    return waiting.size() + inHandSize;
  }

  /**
   * Returns the nanoseconds since the arrival of the oldest event that has not been released, or 0
   * if there is none.
   */
  synchronized long age(long now) {
    Slot<T> held = inHand;
    Slot<T> oldest = held == null ? waiting.first() : held;
    return oldest == null ? 0 : now - oldest.arrivedAt();
  }

  /** Drops all events, including those that are added later. */
  synchronized void close() {
    closed = true;
    waiting = new CompactingEventList<>(bound);
    Slot<T> held = inHand;
    if (held != null) {
      held.cut(); // the call in progress must not retain the other slots
    }
    inHand = null;
    inHandSize = 0;
  }

  private synchronized @Nullable Slot<T> refill() {
    int before = waiting.size();
    Slot<T> taken = waiting.takeFirst(BATCH);
    inHandSize = before - waiting.size();
    inHand = taken;
    return taken;
  }

  @GuardedBy("this")
  private void append(ResourceEvent<T> event, long now) {
    if (!closed) {
      waiting.append(event, now);
    }
  }
}
