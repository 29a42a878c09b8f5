// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.SharedProcessor;
import dev.windlass.object.CachedObject;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Writes events into the store and then tells them to the handlers, so that inside of a handler the
 * store is at least as new as the event (002-12).
 *
 * <p>Any call may break off at any place, for want of memory. What was begun is noted before it is
 * done: {@link #finish} does the write again, and {@link #tell} goes on where it was. So an event
 * is told if and only if its write was done, once to each handler. Used by one thread, the
 * applier's.
 */
final class CacheWriter<T> {

  /** So many events are told together, which costs a lane one lock and one wake-up. */
  private static final int BATCH = 100;

  private final Store<T> store;
  private final SharedProcessor<T> processor;

  /** The event of a write that has been begun and, so far, is not known to be done. */
  private @Nullable ResourceEvent<T> begun;

  /** The end of the predecessor in whose place that write puts an object. */
  private @Nullable ResourceEvent<T> begunAfter;

  /** Events of writes that are done, in order; room for a batch and one write more. */
  private final ArrayList<ResourceEvent<T>> untold = new ArrayList<>(BATCH + 2);

  CacheWriter(Store<T> store, SharedProcessor<T> processor) {
    this.store = store;
    this.processor = processor;
  }

  /**
   * Writes the outcome of an event: puts its object, or removes a deleted one.
   *
   * @param before to be told before the event: the end of the object that this one replaces
   */
  void write(@Nullable ResourceEvent<T> before, ResourceEvent<T> event) {
    if (untold.size() >= BATCH) {
      tell();
    }
    begunAfter = before;
    begun = event;
    finish();
  }

  /** Does the write that was begun, for the first time or again; false if there is none. */
  boolean finish() {
    ResourceEvent<T> event = begun;
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

  /** Hands all events whose writes are done to the handlers. */
  void tell() {
    if (!untold.isEmpty()) {
      processor.distribute(untold);
      untold.clear();
    }
  }

  /**
   * Gives up the write that was begun, and returns its event; null if there is none. If the store
   * shows its outcome all the same, the event will be told: no list would find anything new.
   */
  @Nullable ResourceEvent<T> abandon() {
    ResourceEvent<T> event = begun;
    if (event != null && isWritten(event)) {
      written(event);
    }
    begun = null;
    begunAfter = null;
    return event;
  }

  private boolean isWritten(ResourceEvent<T> event) {
    CachedObject<T> stored = store.get(event.key()).orElse(null);
    return event.type() == ResourceEvent.Type.DELETED ? stored == null : stored == event.object();
  }

  /** After this, the event will be told. There is room for it, so this can't fail. */
  private void written(ResourceEvent<T> event) {
    if (begunAfter != null) {
      untold.add(begunAfter);
    }
    untold.add(event);
    begun = null;
    begunAfter = null;
  }
}
