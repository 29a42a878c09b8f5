// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.fifo.Delta;
import dev.windlass.informer.fifo.DeltaFifo;
import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.SharedProcessor;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.StepDelay;
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
 * <p>No changes are lost if a step fails midway, for example because memory is exhausted. The
 * applier keeps the changes that it took from the FIFO. The next step begins {@link
 * Loop#AFTER_FAILURE} later and completes these changes before it takes further ones. It repeats
 * the write that failed, and then delivers the event of that write. Events of changes are never
 * delivered twice. A {@link Delta.Sync}, in contrast, runs again from the start. If a change fails
 * {@link #TRIES} times in succession, the applier abandons it, logs an error and requests a new
 * list. If the change is a list, the applier abandons only the object that it cannot write. It
 * never abandons the event of a completed write.
 */
final class DeltaApplier<T> implements LoopStep {

  /**
   * The maximum number of objects per step: 100. The limit ensures that a busy applier can be
   * stopped.
   */
  private static final int BATCH = 100;

  /** The number of consecutive failures after which the applier abandons a change: 3. */
  private static final int TRIES = 3;

  private static final Logger log = LoggerFactory.getLogger(SharedIndexInformer.class);

  private final DeltaFifo<T> fifo;
  private final Store<T> store;
  private final SharedProcessor<T> processor;
  private final CacheWriter<T> writer;
  private final Runnable onLoss;
  private volatile boolean synced;

  /** Whether the handlers have been informed that the initial list is complete. */
  private boolean announced;

  /**
   * The changes that were taken from the FIFO. {@code object} and {@code change} are the indexes of
   * the next change to apply.
   */
  private List<List<Delta<T>>> taken = List.of();

  private int object;
  private int change;

  /** The number of consecutive failures since the applier last made progress. */
  private int failures;

  /** The keys of the objects in the current change that the applier has abandoned. */
  private final Set<ObjectKey> givenUp = new HashSet<>();

  /**
   * Creates an applier. It must be the only writer of the store.
   *
   * @param onLoss the action to run when a change is abandoned; it must request a new list to
   *     compensate for the loss
   */
  DeltaApplier(DeltaFifo<T> fifo, Store<T> store, SharedProcessor<T> processor, Runnable onLoss) {
    this.fifo = fifo;
    this.store = store;
    this.processor = processor;
    this.writer = new CacheWriter<>(store, processor);
    this.onLoss = onLoss;
  }

  /** Returns whether the initial list has been applied completely. */
  boolean hasSynced() {
    return synced;
  }

  @Override
  public StepDelay run() {
    writer.deliver(); // events from an earlier step; their delivery is retried without limit
    if (object == taken.size()) {
      taken = fifo.poll(BATCH);
      object = 0;
    }
    try {
      applyTaken();
    } catch (RuntimeException | Error e) {
      failures++;
      if (failures < TRIES) {
        throw e;
      }
      giveUp(e);
      return StepDelay.NONE;
    }
    writer.deliver();
    boolean emptied = taken.size() < BATCH; // otherwise the FIFO sends no wake-up for the rest
    taken = List.of();
    object = 0;
    return emptied ? StepDelay.UNTIL_WOKEN : StepDelay.NONE;
  }

  private void applyTaken() {
    while (object < taken.size()) {
      List<Delta<T>> ofObject = taken.get(object);
      while (change < ofObject.size()) {
        if (writer.finish()) {
          failures = 0;
        }
        apply(ofObject.get(change));
        endChange();
      }
      change = 0;
      object++;
    }
  }

  private void endChange() {
    change++;
    failures = 0;
    if (!givenUp.isEmpty()) {
      givenUp.clear();
    }
  }

  private void apply(Delta<T> delta) {
    switch (delta.type()) {
      case ADDED, UPDATED -> upsert(((Delta.Change<T>) delta).object(), false);
      case DELETED -> delete(((Delta.Change<T>) delta).object());
      case REPLACED -> replace((Delta.Replaced<T>) delta);
      case SYNC -> {
        writer.deliver(); // a new handler receives the result of these events
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

  /**
   * Applies a list. After a failure, this method can be called again with the same list, because
   * objects that are already stored do not cause events.
   */
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
    if (!announced) {
      writer.deliver();
      synced = true; // must come first: when a handler has synced, its informer has too
      processor.initialListSent();
      announced = true;
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

  private void write(@Nullable ResourceEvent<T> before, ResourceEvent<T> event) {
    if (givenUp.isEmpty() || !givenUp.contains(event.key())) {
      writer.write(before, event);
      failures = 0;
    }
  }

  private void giveUp(Throwable cause) {
    failures = 0;
    ResourceEvent<T> event = writer.abandon();
    if (event != null) {
      log.error("Failed to write {} to the cache; requesting a new list", event.object(), cause);
      givenUp.add(event.key());
    } else {
      Delta<T> delta = taken.get(object).get(change);
      log.error("Failed to apply {}; requesting a new list", describe(delta), cause);
      endChange();
    }
    onLoss.run();
  }

  private String describe(Delta<T> delta) {
    return switch (delta.type()) {
      case ADDED -> "the addition of " + ((Delta.Change<T>) delta).object();
      case UPDATED -> "the update of " + ((Delta.Change<T>) delta).object();
      case DELETED -> "the deletion of " + ((Delta.Change<T>) delta).object();
      case REPLACED -> "a list of " + ((Delta.Replaced<T>) delta).objects().size() + " objects";
      case SYNC -> "a resync, or the replay for a new handler";
    };
  }
}
