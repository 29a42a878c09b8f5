// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.fifo.Delta;
import dev.windlass.informer.fifo.DeltaFifo;
import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.SharedProcessor;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.StepDelay;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies queued changes. The applier takes the changes from the FIFO, writes them to the store,
 * and passes the resulting events to the processor. No other class connects these components or
 * writes to the store.
 *
 * <p>The applier compares each change with the store. The event type that the server sent is not
 * relevant. If the server reports the addition of a stored object, the applier reports an update.
 * If the server reports an update of an unknown object, the applier reports an addition. The
 * applier ignores an object that is identical to the stored object. It also ignores an older
 * version of a stored object, unless the version is in a list. Lists are consistent. If a list
 * contains an older version, the server has returned to an earlier state, for example because a
 * backup was restored. If an object was deleted and created again, the applier reports a deletion
 * and an addition.
 *
 * <p>The applier applies a list object by object. Until the complete list has arrived, readers see
 * the old content of the cache. While the list is being applied, each key changes once, from the
 * old object to the new one. After the applier has applied all objects in the list, it removes the
 * objects that are not in the list. A reader therefore never misses an object that is in both the
 * cache and the list. However, a reader can see some objects as they are in the list and others as
 * they were before.
 *
 * <p>A handler receives an event when the store contains the result of that event or a later one.
 * If a write fails, the applier logs an error, leaves out that object, and requests a new list.
 */
final class DeltaApplier<T> implements LoopStep {

  /**
   * The maximum number of objects per step, and of events that are delivered together: 100. The
   * limit ensures that a busy applier can be stopped. Delivering events to a handler requires
   * acquiring a lock once and waking the handler's thread once.
   */
  private static final int BATCH = 100;

  private static final Logger log = LoggerFactory.getLogger(SharedIndexInformer.class);

  private final DeltaFifo<T> fifo;
  private final Store<T> store;
  private final SharedProcessor<T> processor;
  private final Runnable onLoss;
  private volatile boolean synced;

  /** The events of completed writes, in order. */
  private final List<ResourceEvent<T>> undelivered = new ArrayList<>();

  /**
   * Creates an applier. It must be the only writer of the store.
   *
   * @param onLoss the action to run when a change fails; it must request a new list to compensate
   *     for the loss
   */
  DeltaApplier(DeltaFifo<T> fifo, Store<T> store, SharedProcessor<T> processor, Runnable onLoss) {
    this.fifo = fifo;
    this.store = store;
    this.processor = processor;
    this.onLoss = onLoss;
  }

  boolean hasSynced() {
    return synced;
  }

  @Override
  public StepDelay run() {
    List<List<Delta<T>>> taken = fifo.poll(BATCH);
    for (List<Delta<T>> ofObject : taken) {
      for (Delta<T> delta : ofObject) {
        try {
          apply(delta);
        } catch (RuntimeException | Error e) { // must not affect other changes
          lost("apply a change of type " + delta.type(), e);
        }
      }
    }
    deliver();
    // If the FIFO has more changes, it does not send a wake-up for them.
    return taken.size() < BATCH ? StepDelay.UNTIL_WOKEN : StepDelay.NONE;
  }

  private void apply(Delta<T> delta) {
    switch (delta.type()) {
      case ADDED, UPDATED -> upsert(((Delta.Change<T>) delta).object(), false);
      case DELETED -> delete(((Delta.Change<T>) delta).object());
      case REPLACED -> replace((Delta.Replaced<T>) delta);
      case SYNC -> {
        deliver(); // a new handler receives the result of these events
        ((Delta.Sync<T>) delta).action().run();
      }
    }
  }

  private void upsert(CachedObject<T> object, boolean listed) {
    CachedObject<T> old = store.get(object.key()).orElse(null);
    if (old == null) {
      write(null, new ResourceEvent.Added<>(object, !synced));
    } else if (!old.isSameObject(object)) {
      // There is one write, so that readers never see the key disappear. There are two events,
      // because the old object was deleted.
      write(new ResourceEvent.Deleted<>(old, true), new ResourceEvent.Added<>(object, false));
    } else if ((listed || !object.isOlderThan(old)) && !object.isSameState(old)) {
      if (object.isOlderThan(old)) {
        log.debug("The server lists an older version of {} than before", object);
      }
      write(null, new ResourceEvent.Updated<>(old, object));
    }
  }

  private void delete(CachedObject<T> last) {
    @Nullable CachedObject<T> known = store.get(last.key()).orElse(null);
    if (known == null) {
      return; // the deletion was already reported, or the object was never known
    }
    if (known.isSameObject(last)) {
      write(null, new ResourceEvent.Deleted<>(last, false));
    } else if (known.version() >= 0 && known.version() < last.version()) {
      // The deleted object had replaced the known object, whose own deletion was missed.
      write(null, new ResourceEvent.Deleted<>(known, true));
    } // otherwise a successor exists, and its arrival has reported the deletion
  }

  private void replace(Delta.Replaced<T> list) {
    List<CachedObject<T>> objects = list.objects();
    boolean first = store.size() == 0; // an empty store has no objects to delete
    for (CachedObject<T> object : objects) {
      upsert(object, true);
    }
    if (!first) {
      deleteOthers(objects);
    }
    store.listed(list.version());
    if (!synced) {
      deliver();
      synced = true; // must come first: when a handler has synced, its informer has too
      processor.initialListSent();
    }
  }

  private void deleteOthers(List<CachedObject<T>> objects) {
    Set<ObjectKey> listed = new HashSet<>(objects.size() * 2);
    objects.forEach(object -> listed.add(object.key()));
    for (ObjectKey key : store.keys()) {
      CachedObject<T> last = listed.contains(key) ? null : store.get(key).orElse(null);
      if (last != null) {
        write(null, new ResourceEvent.Deleted<>(last, true));
      }
    }
  }

  /**
   * Reports the addition and the deletion of an object that this process has written. Call this
   * method if the object was deleted before a list or a watch returned it. This process may have
   * read the object, but its handlers would otherwise not receive the deletion. Any thread can call
   * this method.
   */
  void reportMissed(CachedObject<T> object) {
    fifo.sync(() -> addAndDelete(object));
  }

  /**
   * Adds the given object to the store if the store does not contain its key, and then removes the
   * object. If the store contains another object with the same key, does nothing, because the
   * deletion was reported when that object was stored.
   */
  private void addAndDelete(CachedObject<T> object) {
    if (store.get(object.key()).isEmpty()) {
      upsert(object, false);
    }
    CachedObject<T> stored = store.get(object.key()).orElse(null);
    if (stored != null && stored.isSameObject(object)) {
      write(null, new ResourceEvent.Deleted<>(stored, true));
    }
  }

  /**
   * Writes an event to the store, and adds it to the events to deliver.
   *
   * @param before the deletion of the object that the new object replaces; null if it replaces no
   *     object. It is delivered before the event
   */
  private void write(@Nullable ResourceEvent<T> before, ResourceEvent<T> event) {
    try {
      if (event.type() == ResourceEvent.Type.DELETED) {
        store.remove(event.key());
      } else {
        store.put(event.object());
      }
    } catch (RuntimeException | Error e) { // must not affect the other objects of a list
      lost("write " + event.object() + " to the cache", e);
      if (!isWritten(event)) {
        return;
      } // otherwise the new list will not differ from the store, and will not cause the event
    }
    if (before != null) {
      undelivered.add(before);
    }
    undelivered.add(event);
    if (undelivered.size() >= BATCH) {
      deliver();
    }
  }

  private boolean isWritten(ResourceEvent<T> event) {
    CachedObject<T> stored = store.get(event.key()).orElse(null);
    return event.type() == ResourceEvent.Type.DELETED ? stored == null : stored == event.object();
  }

  private void lost(String what, Throwable failure) {
    FatalErrors.rethrow(failure);
    log.error("Failed to {}; requesting a new list", what, failure);
    onLoss.run();
  }

  /** Delivers the events of all completed writes to the handlers. */
  private void deliver() {
    if (!undelivered.isEmpty()) {
      processor.distribute(undelivered);
      undelivered.clear();
    }
  }
}
