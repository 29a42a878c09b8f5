// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.SharedProcessor;
import dev.windlass.object.CachedObject;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Writes events to the store, and then delivers them to the handlers. When a handler processes an
 * event, the store therefore already contains the result of that event or a later one.
 *
 * <p>Any call can fail midway if memory is exhausted. Before this class performs an action, it
 * records the action. After a failure, {@link #finish} repeats the write, and {@link #deliver}
 * continues at the point where delivery stopped. Each handler receives the event of a completed
 * write exactly once. It does not receive the event of a write that was abandoned. Only the
 * applier's thread uses this class.
 */
final class CacheWriter<T> {

  /**
   * The maximum number of events in a batch. Delivering a batch to a handler requires acquiring a
   * lock once and waking the handler's thread once.
   */
  private static final int BATCH = 100;

  private final Store<T> store;
  private final SharedProcessor<T> processor;

  /** The event of a write that has begun and may not be complete. */
  private @Nullable ResourceEvent<T> writing;

  /**
   * The deletion of the object that the object in {@link #writing} replaces; null if it replaces no
   * object.
   */
  private @Nullable ResourceEvent<T> replacing;

  /**
   * The events of completed writes, in order. The initial capacity is sufficient for a batch and
   * one more write.
   */
  private final ArrayList<ResourceEvent<T>> undelivered = new ArrayList<>(BATCH + 2);

  CacheWriter(Store<T> store, SharedProcessor<T> processor) {
    this.store = store;
    this.processor = processor;
  }

  /**
   * Writes an event to the store. If the event is a deletion, removes the object. Otherwise, stores
   * the object.
   *
   * @param before the deletion of the object that the new object replaces; null if it replaces no
   *     object. It is delivered before the event
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
   * Performs the pending write. If a previous attempt failed midway, repeats it. Returns false if
   * there is no pending write.
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
   * Abandons the pending write and returns its event. Returns null if no write is pending. If the
   * store already contains the result of the write, the caller must deliver the event: the next
   * list will not differ from the store, and will therefore not cause another event.
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
   * Records that the write is complete and its event can be delivered. This method cannot fail,
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
