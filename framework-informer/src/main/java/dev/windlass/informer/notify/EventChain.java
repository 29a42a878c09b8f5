// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Events in the order in which they came, compressed per key when they are too many.
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
 * <p>A linked list, so that what vanishes from the middle leaves nothing behind. Not thread safe.
 */
final class EventChain<T> {

  /** A place in the chain; its event may be replaced while it waits, and not after. */
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

    long arrivedAt() {
      return arrivedAt;
    }

    /** The one behind it in the chain, or in what was taken from it. */
    @Nullable Slot<T> next() {
      return next;
    }

    /** Makes it the last one of what was taken from the chain. */
    void cut() {
      next = null;
    }
  }

  private final int bound;
  private @Nullable Slot<T> first;
  private @Nullable Slot<T> last;

  /** Slots between {@code first} and {@code last}, marks included. */
  private int slots;

  private int marks;

  /** The last slot of each key. There is none until the bound is reached: most lanes need none. */
  private @Nullable Map<ObjectKey, Slot<T>> index;

  EventChain(int bound) {
    this.bound = bound;
  }

  /** Adds an event, or makes something of what waits so that it need not be added. */
  void append(ResourceEvent<T> event, long now) {
    if (slots < bound || !compress(event)) {
      Slot<T> slot = new Slot<>(event, now);
      file(slot, event.key());
      link(slot);
    }
  }

  /** Adds the mark of the end of the first list. */
  void appendMark(long now) {
    link(new Slot<>(null, now));
    marks++;
  }

  /** Takes out the first slots, at most so many, linked to each other; null if there are none. */
  @Nullable Slot<T> takeFirst(int max) {
    Slot<T> taken = first;
    Slot<T> end = null;
    int count = 0;
    for (Slot<T> slot = taken; slot != null && count < max; slot = slot.next) {
      unfile(slot);
      slot.previous = null;
      marks -= slot.event == null ? 1 : 0;
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
    return taken;
  }

  /** The first slot, which stays. */
  @Nullable Slot<T> first() {
    return first;
  }

  /** How many events there are. */
  int size() {
    return slots - marks;
  }

  /** Makes room as the class says; true if that took the event in. */
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
    } else if (waiting instanceof ResourceEvent.Added<T> added) {
      // Whatever it was when it was listed, it has changed now, and that is urgent; unless this is
      // a resync, which says nothing new.
      boolean resync = update instanceof ResourceEvent.Updated<T> again && again.isResync();
      return new ResourceEvent.Added<>(state, added.initial() && resync);
    } else if (waiting instanceof ResourceEvent.Updated<T> updated) {
      return new ResourceEvent.Updated<>(updated.old(), state);
    }
    return null;
  }

  /** Takes out the object that is deleted, if nobody has heard of it and a deletion waits. */
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
  private void unfile(Slot<T> slot) {
    if (slot.nextOfKey != null) {
      slot.nextOfKey.previousOfKey = null;
      slot.nextOfKey = null;
    } else if (index != null && slot.event != null) {
      index.remove(slot.event.key());
    }
  }

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
