// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.SharedProcessor;
import dev.windlass.object.CachedObject;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Writes events to the store and then delivers them to the handlers. The store is therefore at
 * least as new as the event that a handler is processing.
 *
 * <p>Any call can fail midway if memory is exhausted. This class therefore records each action
 * before it performs the action. After a failure, {@link #finish} repeats the write, and {@link
 * #deliver} continues at the point where delivery stopped. As a result, each handler receives an
 * event once if the write of the event was completed, and otherwise does not receive it. Only the
 * applier's thread uses this class.
 */
final class CacheWriter<T> {

  /**
   * The maximum number of events delivered together. For each handler, a batch costs one
   * acquisition of a lock and one wake-up.
   */
  private static final int BATCH = 100;

  private final Store<T> store;
  private final SharedProcessor<T> processor;

  /** The event of a write that has begun and may not be complete. */
  private @Nullable ResourceEvent<T> writing;

  /** The deletion of the predecessor that the object of {@link #writing} replaces. */
  private @Nullable ResourceEvent<T> replacing;

  /** The events of completed writes, in order. The list has room for a batch and one more write. */
  private final ArrayList<ResourceEvent<T>> undelivered = new ArrayList<>(BATCH + 2);

  CacheWriter(Store<T> store, SharedProcessor<T> processor) {
    this.store = store;
    this.processor = processor;
  }

  /**
   * Writes the result of an event to the store: puts the object, or removes a deleted object.
   *
   * @param before the deletion of the object that this object replaces, which is delivered before
   *     the event; null if no object is replaced
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
   * Performs the pending write, or repeats it if it failed midway. Returns false if there is no
   * pending write.
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
   * Abandons the pending write and returns its event, or null if no write is pending. If the store
   * already contains the result of the write, the event is still delivered, because the list that
   * follows would not differ from the store and would therefore not cause an event.
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
   * Marks the write as complete, so that its event will be delivered. This method cannot fail,
   * because the list has room for the event.
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
