// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What waits for one handler: first in, first out, merging per object when too much waits.
 *
 * <p>Above the bound, an update is merged into the last waiting event of the same object (by uid),
 * if that is an addition or an update: the old state of the first, the new state of the last. A
 * deletion is never merged, so a re-created object is always a deletion and an addition.
 *
 * <p>Thread safe.
 */
final class PendingEvents<T> {

  /** A place in the queue; its event may be replaced while it waits. */
  static final class Slot<T> {

    /** Null in the one slot that marks the end of the first list. */
    private @Nullable ResourceEvent<T> event;

    private Slot(@Nullable ResourceEvent<T> event) {
      this.event = event;
    }

    @Nullable ResourceEvent<T> event() {
      return event;
    }
  }

  private final int bound;

  @GuardedBy("this")
  private final ArrayDeque<Slot<T>> queue = new ArrayDeque<>();

  @GuardedBy("this")
  private final Map<ObjectKey, Slot<T>> lastOfKey = new HashMap<>();

  @GuardedBy("this")
  private int marks;

  PendingEvents(int bound) {
    this.bound = bound;
  }

  synchronized void add(ResourceEvent<T> event) {
    if (queue.size() >= bound) {
      Slot<T> last = lastOfKey.get(event.key());
      ResourceEvent<T> merged =
          last == null || last.event == null ? null : merge(last.event, event);
      if (last != null && merged != null) {
        last.event = merged;
        return;
      }
    }
    Slot<T> slot = new Slot<>(event);
    queue.add(slot);
    lastOfKey.put(event.key(), slot);
  }

  /** Marks the end of the first list: {@link #poll} will meet it after all that waits now. */
  synchronized void addMark() {
    queue.add(new Slot<>(null));
    marks++;
  }

  synchronized @Nullable Slot<T> poll() {
    Slot<T> slot = queue.poll();
    if (slot == null) {
      return null;
    }
    if (slot.event == null) {
      marks--;
    } else {
      lastOfKey.remove(slot.event.key(), slot);
    }
    return slot;
  }

  /** How many events wait. */
  synchronized int size() {
    return queue.size() - marks;
  }

  synchronized void clear() {
    queue.clear();
    marks = 0;
    lastOfKey.clear();
  }

  private static <T> @Nullable ResourceEvent<T> merge(
      ResourceEvent<T> waiting, ResourceEvent<T> next) {
    CachedObject<T> state = next.object();
    if (!(next instanceof ResourceEvent.Updated<T>) || !waiting.object().isSameObject(state)) {
      return null;
    }
    if (waiting instanceof ResourceEvent.Added<T>) {
      // Whatever it was when it was listed, it has changed now, and that is urgent.
      return new ResourceEvent.Added<>(state, false);
    } else if (waiting instanceof ResourceEvent.Updated<T> updated) {
      return new ResourceEvent.Updated<>(updated.old(), state);
    }
    return null;
  }
}
