// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A list of events in order of arrival. Once the number of events has reached the given bound, the
 * list compacts the events for each key.
 *
 * <p>At or above the bound, the list keeps at most three further events for each key:
 *
 * <ul>
 *   <li>An update is merged into the last pending event for the same object, identified by its uid,
 *       if that event is an addition or an update. The merged event contains the old state from the
 *       earlier event and the new state from the update.
 *   <li>A deletion is never merged into an addition or an update. If an object is deleted and
 *       created again, the handler therefore receives a deletion and an addition.
 *   <li>If an object is deleted while its addition is pending, and the addition follows the pending
 *       deletion of an earlier object with the same key, all events for the later object are
 *       removed. The handler has never received that object. The deletion of the earlier object
 *       informs the handler about the key.
 * </ul>
 *
 * <p>For every object that the handler has received, the last state and the deletion are always
 * delivered, in order. If an object is created and deleted while all its events are pending, it may
 * never be delivered. If an object is created and deleted repeatedly, its events take no more
 * memory than those of an object that is updated.
 *
 * <p>This class is a linked list, so removing an event from the middle leaves no unused entry. This
 * class is not thread-safe.
 */
final class CompactingEventList<T> {

  /**
   * A slot for an event. The event can be replaced while the slot is in the list, but not after the
   * slot has been taken.
   */
  static final class Slot<T> {

    /** The event, or null if this slot marks the end of the initial list. */
    private @Nullable ResourceEvent<T> event;

    private final long arrivedAt;
    private @Nullable Slot<T> previous;
    private @Nullable Slot<T> next;

    /**
     * The previous slot with the same key. This field and {@code nextOfKey} are maintained only
     * while the list has an index.
     */
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

    /**
     * Returns the next slot in the list. Once this slot has been taken, returns the next slot in
     * the same batch.
     */
    @Nullable Slot<T> next() {
      return next;
    }

    /** Makes this slot the last in its batch. */
    void cut() {
      next = null;
    }
  }

  private final int bound;
  private @Nullable Slot<T> first;
  private @Nullable Slot<T> last;

  /** The number of slots in the list, including marks. */
  private int slots;

  private int marks;

  /**
   * The last slot of each key. Most handlers never need this index, so it is created only when the
   * bound is reached.
   */
  private @Nullable Map<ObjectKey, Slot<T>> index;

  CompactingEventList(int bound) {
    this.bound = bound;
  }

  /** Adds an event, or merges it into the pending events. */
  void append(ResourceEvent<T> event, long now) {
    if (slots < bound || !compress(event)) {
      Slot<T> slot = new Slot<>(event, now);
      file(slot, event.key());
      link(slot);
    }
  }

  void appendMark(long now) {
    link(new Slot<>(null, now));
    marks++;
  }

  /**
   * Removes up to {@code max} slots from the beginning of the list. Returns the first of these
   * slots, or null if the list is empty. {@link Slot#next()} returns the others.
   */
  @Nullable Slot<T> takeFirst(int max) {
    Slot<T> taken = first;
    Slot<T> end = null;
    int count = 0;
    for (Slot<T> slot = taken; slot != null && count < max; slot = slot.next) {
      if (index != null) {
        unfile(slot, index);
      }
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

  /** Returns the first slot without removing it. */
  @Nullable Slot<T> first() {
    return first;
  }

  int size() {
    return slots - marks;
  }

  /**
   * Applies the rules in this class's description to a new event. Returns true if the event has
   * been merged or is no longer necessary. In this case, the caller must not add it.
   */
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
      // An update means that the object has changed since it was listed, so the event is urgent and
      // no longer initial. A resync contains no change, so the event remains initial.
      boolean resync = update instanceof ResourceEvent.Updated<T> again && again.isResync();
      return new ResourceEvent.Added<>(state, added.initial() && resync);
    } else if (waiting instanceof ResourceEvent.Updated<T> updated) {
      return new ResourceEvent.Updated<>(updated.old(), state);
    }
    return null;
  }

  /**
   * Removes the events for a deleted object if the handler has not received any of them and the
   * deletion of an earlier object with the same key is pending. Returns whether the events were
   * removed.
   */
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
    if (lastOfKey != null) {
      follow(lastOfKey.put(key, slot), slot);
    }
  }

  private void follow(@Nullable Slot<T> earlier, Slot<T> slot) {
    slot.previousOfKey = earlier;
    slot.nextOfKey = null;
    if (earlier != null) {
      earlier.nextOfKey = slot;
    }
  }

  /**
   * Removes a slot from the index before it is taken. The slot must be the first with its key.
   * Afterwards, the next slot with the same key no longer refers to this slot.
   */
  private static <T> void unfile(Slot<T> slot, Map<ObjectKey, Slot<T>> lastOfKey) {
    if (slot.nextOfKey != null) {
      slot.nextOfKey.previousOfKey = null;
      slot.nextOfKey = null;
    } else if (slot.event != null) {
      lastOfKey.remove(slot.event.key());
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

  /** Removes a slot from the list. The slot must not be the first in the list. */
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
