// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.notify.CompactingEventList.Slot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue of pending events for one handler. If too many events are pending, the events for each
 * key are compacted.
 *
 * <p>Once the number of pending events reaches the given limit, the queue stores at most three
 * further events for each key. For every object that the handler has received, the last state and
 * the deletion are always delivered, in order. {@link CompactingEventList} defines the rules.
 *
 * <p>Only one thread at a time may add events, and only one thread may take them. All other methods
 * can be called from any thread. The queue takes events from the list in batches. Events that have
 * been taken from the list are no longer compacted. {@link #size} still counts them as pending
 * until {@link #take} has returned them.
 */
final class PendingEvents<T> {

  /**
   * The maximum number of slots that are taken from the list at once. A shutdown does not wait
   * until the handler has processed them.
   */
  private static final int BATCH = 100;

  private final int bound;

  @GuardedBy("this")
  private CompactingEventList<T> waiting;

  /**
   * Whether this instance is closed. {@link #close()} sets this field under the lock, and then
   * drops all events.
   */
  private volatile boolean closed;

  /**
   * The first slot that has been taken from the list but not released. {@link Slot#next()} returns
   * the others. Only {@link #close()} and the thread that takes events write this field.
   */
  private volatile @Nullable Slot<T> inHand;

  /**
   * The number of events that have been taken from the list but that {@link #take} has not returned
   * yet.
   */
  private volatile int inHandSize;

  PendingEvents(int bound) {
    this.bound = bound;
    waiting = new CompactingEventList<>(bound);
  }

  /**
   * Adds events.
   *
   * @return whether the list was empty. If so, the caller must wake the thread that takes events
   */
  synchronized boolean add(List<ResourceEvent<T>> events, long now) {
    boolean wasEmpty = waiting.first() == null;
    if (!closed) {
      events.forEach(event -> waiting.append(event, now));
    }
    return wasEmpty;
  }

  /**
   * Marks the end of the initial list. {@link #take} returns the mark after all currently pending
   * events.
   */
  synchronized void addMark(long now) {
    if (!closed) {
      waiting.appendMark(now);
    }
  }

  /**
   * Returns the slot with the next event or mark, or null if there is none. The caller must pass
   * the slot to {@link #done} before it calls this method again.
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
   * Records that {@link #take} returns an event. While there are events that have been taken from
   * the list, only this method and {@link #close()} write {@code inHandSize}.
   *
   * @param before the number of events before the call
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
   * Sets the slot to return next. The caller has read the slot without the lock, so {@link
   * #close()} may already have been called.
   *
   * @param next the slot; null if no slot is left, so that the next slots must be taken from the
   *     list
   */
  void hold(@Nullable Slot<T> next) {
    inHand = next;
    dropIfClosed();
  }

  /**
   * Drops the events that have been taken from the list if this instance is closed. Call this
   * method after each write without the lock. It ensures that the write does not undo the effect of
   * {@link #close()}.
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
   * Returns the time since the arrival of the oldest event or mark that has not been released, in
   * nanoseconds. Returns 0 if there is none.
   */
  synchronized long age(long now) {
    Slot<T> held = inHand;
    Slot<T> oldest = held == null ? waiting.first() : held;
    return oldest == null ? 0 : now - oldest.arrivedAt();
  }

  /** Drops all pending events. Events that are added later are dropped as well. */
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
}
