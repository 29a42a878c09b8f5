// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.SharedProcessor;
import dev.windlass.object.CachedObject;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Writes events to the store and then delivers them to the handlers, so that inside a handler the
 * store is at least as new as the event.
 *
 * <p>Any call may fail midway if memory runs out. Each action is recorded before it is done: {@link
 * #finish} repeats the write, and {@link #deliver} continues where it stopped. Therefore an event
 * is delivered, once to each handler, if and only if its write was done. Used only by the applier's
 * thread.
 */
final class CacheWriter<T> {

  /**
   * Maximum number of events delivered together; a batch costs each lane one lock and one wake-up.
   */
  private static final int BATCH = 100;

  private final Store<T> store;
  private final SharedProcessor<T> processor;

  /** The event of a write that has begun and is not yet known to be done. */
  private @Nullable ResourceEvent<T> writing;

  /** The deletion of the predecessor that this write replaces. */
  private @Nullable ResourceEvent<T> replacing;

  /** Events of completed writes, in order; has room for a batch and one more write. */
  private final ArrayList<ResourceEvent<T>> undelivered = new ArrayList<>(BATCH + 2);

  CacheWriter(Store<T> store, SharedProcessor<T> processor) {
    this.store = store;
    this.processor = processor;
  }

  /**
   * Writes the outcome of an event: puts its object, or removes a deleted one.
   *
   * @param before the deletion of the object that this one replaces, delivered before the event;
   *     null if there is none
   */
  void write(@Nullable ResourceEvent<T> before, ResourceEvent<T> event) {
    if (undelivered.size() >= BATCH) {
      deliver();
    }
    replacing = before;
    writing = event;
    finish();
  }

  /**
   * Performs the write that has begun, for the first time or again. Returns false if there is none.
   */
  boolean finish() {
    ResourceEvent<T> event = writing;
    if (event == null) {
      return false;
    }
    if (event.type() == ResourceEvent.Type.DELETED) {
      store.remove(event.key());
    } else {
      store.put(event.object());
    }
    written(event);
    return true;
  }

  /** Delivers all events of completed writes to the handlers. */
  void deliver() {
    if (!undelivered.isEmpty()) {
      processor.distribute(undelivered);
      undelivered.clear();
    }
  }

  /**
   * Abandons the write that has begun, and returns its event; null if there is none. If the store
   * nevertheless shows its outcome, the event is still delivered, because no list would find a
   * difference.
   */
  @Nullable ResourceEvent<T> abandon() {
    ResourceEvent<T> event = writing;
    if (event != null && isWritten(event)) {
      written(event);
    }
    writing = null;
    replacing = null;
    return event;
  }

  private boolean isWritten(ResourceEvent<T> event) {
    CachedObject<T> stored = store.get(event.key()).orElse(null);
    return event.type() == ResourceEvent.Type.DELETED ? stored == null : stored == event.object();
  }

  /**
   * Marks the write as done, so that its event will be delivered. Can't fail, because the list has
   * room.
   */
  private void written(ResourceEvent<T> event) {
    if (replacing != null) {
      undelivered.add(replacing);
    }
    undelivered.add(event);
    writing = null;
    replacing = null;
  }
}
