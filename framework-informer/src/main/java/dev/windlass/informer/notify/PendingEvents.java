// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.notify.EventChain.Slot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What waits for one handler: first in, first out, compressed per key when too much waits.
 *
 * <p>While as many events as the bound or more wait, of one key at most three more are kept; the
 * last state and the deletion of every object that the handler has heard of are always handed out,
 * in order. {@link EventChain} has the rule.
 *
 * <p>Any thread may call, but one at a time adds, and one takes. The one that takes does so in
 * batches; what is in its hand counts as handed out, for nothing is merged into it, and as waiting,
 * for {@link #size}.
 */
final class PendingEvents<T> {

  /** Slots that are taken at once. A stop has to wait for none of them. */
  private static final int BATCH = 100;

  private final int bound;

  @GuardedBy("this")
  private EventChain<T> waiting;

  /** How much of a batch is in already; other than 0 only after {@link #add(List, long)} threw. */
  @GuardedBy("this")
  private int takenIn;

  /** Written under the lock, and before what is in hand is dropped. */
  private volatile boolean closed;

  /** What was taken and is not done, with what follows it. Set by the thread that takes. */
  private volatile @Nullable Slot<T> inHand;

  /** Events in hand that {@link #take} has not yet given. */
  private volatile int inHandSize;

  PendingEvents(int bound) {
    this.bound = bound;
    waiting = new EventChain<>(bound);
  }

  /**
   * Adds an event.
   *
   * @return whether nothing waited before, so that the one who takes may have to be woken
   */
  synchronized boolean add(ResourceEvent<T> event, long now) {
    boolean wasEmpty = waiting.first() == null;
    append(event, now);
    return wasEmpty;
  }

  /**
   * Adds events, or what is missing of them if the last call threw. Until {@link #endBatch}, a call
   * with the same events adds nothing twice.
   *
   * @return whether nothing waited before
   */
  synchronized boolean add(List<ResourceEvent<T>> batch, long now) {
    boolean wasEmpty =
        waiting.first() == null || takenIn > 0; // who broke off has not woken anybody
    while (takenIn < batch.size()) {
      append(batch.get(takenIn), now);
      takenIn++;
    }
    return wasEmpty;
  }

  /** Says that the batch is in everywhere, and that the next one is another. */
  synchronized void endBatch() {
    takenIn = 0;
  }

  /** Marks the end of the first list: {@link #take} will meet it after all that waits now. */
  synchronized void addMark(long now) {
    if (!closed) {
      waiting.appendMark(now);
    }
  }

  /** The next event or mark, which is in hand until {@link #done}; null if there is none. */
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

  /** One of so many is handed out; nobody else writes while something is in hand, but close(). */
  void countHandedOut(int before) {
    inHandSize = before - 1;
    dropIfClosed();
  }

  /** Lets go of what {@link #take} gave. */
  void done(Slot<T> slot) {
    hold(slot.next());
  }

  /** Goes on with what was read without the lock, so close() may have come in between. */
  void hold(@Nullable Slot<T> next) {
    inHand = next;
    dropIfClosed();
  }

  /** Comes after each write without the lock: either this or {@link #close()} sees the other. */
  private void dropIfClosed() {
    if (closed) {
      inHand = null;
      inHandSize = 0;
    }
  }

  /** How many events wait to be given by {@link #take}. */
  synchronized int size() {
    return waiting.size() + inHandSize;
  }

  /** Nanoseconds since the arrival of what has not been done and is oldest; 0 if there is none. */
  synchronized long age(long now) {
    Slot<T> held = inHand;
    Slot<T> oldest = held == null ? waiting.first() : held;
    return oldest == null ? 0 : now - oldest.arrivedAt();
  }

  /** Forgets everything, and whatever comes from now on. */
  synchronized void close() {
    closed = true;
    waiting = new EventChain<>(bound);
    Slot<T> held = inHand;
    if (held != null) {
      held.cut(); // whoever is in the call for it must not hold on to the rest
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
