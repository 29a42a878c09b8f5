// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.notify.EventChain.Slot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pending events of one handler: first in, first out, compressed per key if there are too many.
 *
 * <p>Once the number of pending events reaches the bound, at most three further events are kept for
 * each key. The last state and the deletion of every object that the handler has received are
 * always delivered, in order. {@link EventChain} defines the rules.
 *
 * <p>Any thread may call the methods, but only one thread at a time adds events, and one takes them
 * in batches. Events that it holds are no longer compressed, but still count as pending in {@link
 * #size}.
 */
final class PendingEvents<T> {

  /** Number of slots taken at once. A stop waits for none of them. */
  private static final int BATCH = 100;

  private final int bound;

  @GuardedBy("this")
  private EventChain<T> waiting;

  /** How many events of a batch have been added; reset by {@link #endBatch}. */
  @GuardedBy("this")
  private int takenIn;

  /** Written under the lock, and before the held events are dropped. */
  private volatile boolean closed;

  /**
   * The slot that was taken and is not done, linked to those behind it. Set by the thread that
   * takes events.
   */
  private volatile @Nullable Slot<T> inHand;

  /** Number of held events that {@link #take} has not returned yet. */
  private volatile int inHandSize;

  PendingEvents(int bound) {
    this.bound = bound;
    waiting = new EventChain<>(bound);
  }

  /**
   * Adds an event.
   *
   * @return whether nothing was pending before, so that the taking thread may have to be woken
   */
  synchronized boolean add(ResourceEvent<T> event, long now) {
    boolean wasEmpty = waiting.first() == null;
    append(event, now);
    return wasEmpty;
  }

  /**
   * Adds events, or the missing ones if the last call threw. Until {@link #endBatch}, calling it
   * again with the same events adds none of them twice.
   *
   * @return whether nothing was pending before
   */
  synchronized boolean add(List<ResourceEvent<T>> batch, long now) {
    boolean wasEmpty =
        waiting.first() == null || takenIn > 0; // a call that failed midway has not woken the taker
    while (takenIn < batch.size()) {
      append(batch.get(takenIn), now);
      takenIn++;
    }
    return wasEmpty;
  }

  /** Ends the batch after all lanes have received it; the next events form another batch. */
  synchronized void endBatch() {
    takenIn = 0;
  }

  /**
   * Marks the end of the first list: {@link #take} reaches the mark after all events that are
   * pending now.
   */
  synchronized void addMark(long now) {
    if (!closed) {
      waiting.appendMark(now);
    }
  }

  /** Returns the next event or mark, which is held until {@link #done}; null if there is none. */
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
   * Counts one of the held events as returned. While events are held, only {@link #close()} writes
   * the counter as well.
   */
  void countHandedOut(int before) {
    inHandSize = before - 1;
    dropIfClosed();
  }

  /** Releases the slot that {@link #take} returned. */
  void done(Slot<T> slot) {
    hold(slot.next());
  }

  /** Continues with a slot that was read without the lock, so close() may have run in between. */
  void hold(@Nullable Slot<T> next) {
    inHand = next;
    dropIfClosed();
  }

  /**
   * Must follow each write without the lock, so that either this method or {@link #close()} sees
   * the other's write.
   */
  private void dropIfClosed() {
    if (closed) {
      inHand = null;
      inHandSize = 0;
    }
  }

  /** Returns how many events {@link #take} has not returned yet. */
  synchronized int size() {
    return waiting.size() + inHandSize;
  }

  /**
   * Returns the nanoseconds since the arrival of the oldest event that is not done; 0 if there is
   * none.
   */
  synchronized long age(long now) {
    Slot<T> held = inHand;
    Slot<T> oldest = held == null ? waiting.first() : held;
    return oldest == null ? 0 : now - oldest.arrivedAt();
  }

  /** Drops all events, including those that are added later. */
  synchronized void close() {
    closed = true;
    waiting = new EventChain<>(bound);
    Slot<T> held = inHand;
    if (held != null) {
      held.cut(); // the call in progress must not retain the others
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
