// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What waits for one handler: first in, first out, compressed per key when too much waits.
 *
 * <p>While as many events as the bound or more wait, of one key at most three more are kept:
 *
 * <ul>
 *   <li>An update is merged into the last waiting event of the same object (by uid), if that is an
 *       addition or an update: the old state of the first, the new state of the last.
 *   <li>A deletion is never merged into either, so a re-created object is always a deletion and an
 *       addition. But if the addition of the deleted object still waits, and before it the deletion
 *       of a predecessor, then that addition, its updates and its deletion all vanish: the handler
 *       never heard of that object, and of the key it hears by the predecessor's deletion.
 * </ul>
 *
 * <p>So the last state and the deletion of every object that the handler has heard of are always
 * handed out, in order, and an object that came and went while all of this waited may not show. A
 * name that is created and deleted without end costs no more than one that is updated.
 *
 * <p>Any thread may call, but one at a time adds, and one takes. The one that takes does so in
 * batches; what is in its hand counts as handed out, for nothing is merged into it, and as waiting,
 * for {@link #size}.
 */
final class PendingEvents<T> {

  /** Slots that are taken at once. A stop has to wait for none of them. */
  private static final int BATCH = 100;

  /** A place in the queue; its event may be replaced while it waits, and not after. */
  static final class Slot<T> {

    /** Null in the one slot that marks the end of the first list. */
    private @Nullable ResourceEvent<T> event;

    private final long arrivedAt;
    private @Nullable Slot<T> previous;
    private @Nullable Slot<T> next;

    /** The neighbours of the same key; up to date while there is an index. */
    private @Nullable Slot<T> previousOfKey;

    private @Nullable Slot<T> nextOfKey;

    private Slot(@Nullable ResourceEvent<T> event, long arrivedAt) {
      this.event = event;
      this.arrivedAt = arrivedAt;
    }

    @Nullable ResourceEvent<T> event() {
      return event;
    }
  }

  private final int bound;

  @GuardedBy("this")
  private @Nullable Slot<T> first;

  @GuardedBy("this")
  private @Nullable Slot<T> last;

  /** Slots between {@code first} and {@code last}, marks included. */
  @GuardedBy("this")
  private int slots;

  @GuardedBy("this")
  private int marks;

  /** The last slot of each key. There is none until the bound is reached: most lanes need none. */
  @GuardedBy("this")
  private @Nullable Map<ObjectKey, Slot<T>> index;

  /** How much of a batch is in already; other than 0 only after {@link #add(List, long)} threw. */
  @GuardedBy("this")
  private int takenIn;

  @GuardedBy("this")
  private boolean closed;

  /** What was taken and is not done, with what follows it. Set by the thread that takes. */
  private volatile @Nullable Slot<T> inHand;

  /** Events in hand that {@link #take} has not yet given. */
  private volatile int inHandSize;

  PendingEvents(int bound) {
    this.bound = bound;
  }

  /**
   * Adds an event.
   *
   * @return whether nothing waited before, so that the one who takes may have to be woken
   */
  synchronized boolean add(ResourceEvent<T> event, long now) {
    boolean wasEmpty = first == null;
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
    boolean wasEmpty = first == null || takenIn > 0; // who broke off has not woken anybody
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
      link(new Slot<>(null, now));
      marks++;
    }
  }

  /** The next event or mark, which is in hand until {@link #done}; null if there is none. */
  @Nullable Slot<T> take() {
    Slot<T> slot = inHand;
    if (slot == null) {
      slot = refill();
    }
    if (slot != null && slot.event != null) {
      int size = inHandSize;
      inHandSize = size - 1; // nobody else writes while something is in hand, but clear()
    }
    return slot;
  }

  /** Lets go of what {@link #take} gave. */
  void done(Slot<T> slot) {
    inHand = slot.next;
  }

  /** How many events wait to be given by {@link #take}. */
  synchronized int size() {
    return slots - marks + inHandSize;
  }

  /** Nanoseconds since the arrival of what has not been done and is oldest; 0 if there is none. */
  synchronized long age(long now) {
    Slot<T> held = inHand;
    Slot<T> oldest = held == null ? first : held;
    return oldest == null ? 0 : now - oldest.arrivedAt;
  }

  /** Forgets everything, and whatever comes from now on. */
  synchronized void close() {
    closed = true;
    first = null;
    last = null;
    slots = 0;
    marks = 0;
    index = null;
    Slot<T> held = inHand;
    if (held != null) {
      held.next = null; // whoever is in the call for it must not hold on to the rest
    }
    inHand = null;
    inHandSize = 0;
  }

  private synchronized @Nullable Slot<T> refill() {
    Slot<T> chain = first;
    Slot<T> end = null;
    int events = 0;
    int count = 0;
    for (Slot<T> slot = chain; slot != null && count < BATCH; slot = slot.next) {
      unfile(slot);
      slot.previous = null;
      events += slot.event == null ? 0 : 1;
      count++;
      end = slot;
    }
    if (end == null) {
      return null;
    }
    first = end.next;
    if (first == null) {
      last = null;
      index = null;
    } else {
      first.previous = null;
    }
    end.next = null;
    slots -= count;
    marks -= count - events;
    inHandSize = events;
    inHand = chain;
    return chain;
  }

  @GuardedBy("this")
  private void append(ResourceEvent<T> event, long now) {
    if (closed || (slots >= bound && compress(event))) {
      return;
    }
    Slot<T> slot = new Slot<>(event, now);
    file(slot, event.key());
    link(slot);
  }

  /** Makes room as the class says; true if that took the event in. */
  @GuardedBy("this")
  private boolean compress(ResourceEvent<T> event) {
    if (event.type() == ResourceEvent.Type.ADDED) {
      return false;
    }
    Map<ObjectKey, Slot<T>> lastOfKey = index();
    Slot<T> waiting = lastOfKey.get(event.key());
    if (waiting == null || waiting.event == null) {
      return false;
    }
    if (event.type() == ResourceEvent.Type.DELETED) {
      return vanish(waiting, event, lastOfKey);
    }
    ResourceEvent<T> merged = merge(waiting.event, event);
    if (merged != null) {
      waiting.event = merged;
    }
    return merged != null;
  }

  private static <T> @Nullable ResourceEvent<T> merge(
      ResourceEvent<T> waiting, ResourceEvent<T> update) {
    CachedObject<T> state = update.object();
    if (!waiting.object().isSameObject(state)) {
      return null;
    } else if (waiting.type() == ResourceEvent.Type.ADDED) {
      // Whatever it was when it was listed, it has changed now, and that is urgent.
      return new ResourceEvent.Added<>(state, false);
    } else if (waiting instanceof ResourceEvent.Updated<T> updated) {
      return new ResourceEvent.Updated<>(updated.old(), state);
    }
    return null;
  }

  /** Takes out the object that is deleted, if nobody has heard of it and a deletion waits. */
  @GuardedBy("this")
  private boolean vanish(
      Slot<T> lastOfKey, ResourceEvent<T> deletion, Map<ObjectKey, Slot<T>> lasts) {
    boolean unheard = false;
    Slot<T> before = lastOfKey;
    while (before != null && isStateOf(before.event, deletion.object())) {
      unheard |= before.event instanceof ResourceEvent.Added<T>;
      before = before.previousOfKey;
    }
    if (!unheard || before == null || !(before.event instanceof ResourceEvent.Deleted<T>)) {
      return false;
    }
    for (Slot<T> gone = lastOfKey; gone != null && gone != before; gone = gone.previousOfKey) {
      unlink(gone);
    }
    before.nextOfKey = null;
    lasts.put(deletion.key(), before);
    return true;
  }

  private static <T> boolean isStateOf(@Nullable ResourceEvent<T> event, CachedObject<T> object) {
    return event != null
        && event.type() != ResourceEvent.Type.DELETED
        && event.object().isSameObject(object);
  }

  @GuardedBy("this")
  private Map<ObjectKey, Slot<T>> index() {
    Map<ObjectKey, Slot<T>> lastOfKey = index;
    if (lastOfKey == null) {
      lastOfKey = new HashMap<>();
      for (Slot<T> slot = first; slot != null; slot = slot.next) {
        if (slot.event != null) {
          follow(lastOfKey.put(slot.event.key(), slot), slot);
        }
      }
      index = lastOfKey;
    }
    return lastOfKey;
  }

  @GuardedBy("this")
  private void file(Slot<T> slot, ObjectKey key) {
    Map<ObjectKey, Slot<T>> lastOfKey = index;
    if (lastOfKey == null) {
      return;
    }
    index = null; // should memory end in between, the index is made anew from what is linked
    follow(lastOfKey.put(key, slot), slot);
    index = lastOfKey;
  }

  private void follow(@Nullable Slot<T> earlier, Slot<T> slot) {
    slot.previousOfKey = earlier;
    slot.nextOfKey = null;
    if (earlier != null) {
      earlier.nextOfKey = slot;
    }
  }

  /**
   * Lets go of the first slot of its key. Its neighbour must not hold on to what was handed out.
   */
  @GuardedBy("this")
  private void unfile(Slot<T> slot) {
    if (slot.nextOfKey != null) {
      slot.nextOfKey.previousOfKey = null;
      slot.nextOfKey = null;
    } else if (index != null && slot.event != null) {
      index.remove(slot.event.key());
    }
  }

  @GuardedBy("this")
  private void link(Slot<T> slot) {
    slot.previous = last;
    if (last == null) {
      first = slot;
    } else {
      last.next = slot;
    }
    last = slot;
    slots++;
  }

  /** Never called for the first slot: a deletion of the same key stands before. */
  @GuardedBy("this")
  private void unlink(Slot<T> slot) {
    Slot<T> before = slot.previous;
    if (before != null) {
      before.next = slot.next;
    }
    if (slot.next == null) {
      last = before;
    } else {
      slot.next.previous = before;
    }
    slots--;
  }
}
