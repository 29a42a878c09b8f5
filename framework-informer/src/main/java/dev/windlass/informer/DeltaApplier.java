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
 * Applies queued changes: takes them from the FIFO, writes them to the store, and passes the
 * resulting events to the processor. It is the only class that connects these components, and the
 * only writer of the store.
 *
 * <p>The content of the store determines the meaning of a change. The event type sent by the server
 * does not: an addition of a known object is an update, and an update of an unknown object is an
 * addition. The applier drops a state that is identical to the stored state of the same object, or
 * older. Lists are consistent, so an older state in a list means that the server has returned to an
 * earlier state, for example because a backup was restored. The applier therefore applies an older
 * state in a list. It reports an object that was deleted and created again as a deletion and an
 * addition.
 *
 * <p>The applier applies a list object by object. Until the whole list has arrived, readers see the
 * complete old cache. While the applier applies the list, each key changes once, from its old state
 * to its new state. After it has applied all objects in the list, the applier removes the keys that
 * are missing from the list. A reader therefore never misses an object that is in both the cache
 * and the list. Two consecutive reads can show states from before and after the list.
 *
 * <p>A step that fails midway, for example because memory is exhausted, does not lose changes. The
 * applier keeps the changes that it took from the FIFO. {@link Loop#AFTER_FAILURE} later, the next
 * step completes these changes before it takes further ones: it repeats the write that failed, and
 * then delivers the event of that write. Events are never delivered twice, but a {@link Delta.Sync}
 * runs again as a whole. If a change fails {@link #TRIES} consecutive times, the applier abandons
 * it, logs an error and requests a list. In a list, the applier abandons only the object whose
 * write fails. It never abandons an event whose write was completed.
 */
final class DeltaApplier<T> implements LoopStep {

  /**
   * The maximum number of objects per step. It is limited so that a busy applier can still be
   * stopped.
   */
  private static final int BATCH = 100;

  /**
   * The number of consecutive failures to apply a change after which the change is abandoned: 3.
   */
  private static final int TRIES = 3;

  private static final Logger log = LoggerFactory.getLogger(SharedIndexInformer.class);

  private final DeltaFifo<T> fifo;
  private final Store<T> store;
  private final SharedProcessor<T> processor;
  private final CacheWriter<T> writer;
  private final Runnable onLoss;
  private volatile boolean synced;

  /** Whether the handlers have been informed that the first list is complete. */
  private boolean announced;

  /**
   * The changes taken from the FIFO. {@code object} and {@code change} mark the progress of their
   * application.
   */
  private List<List<Delta<T>>> taken = List.of();

  private int object;
  private int change;

  /** The number of times that the current change has failed without progress. */
  private int failures;

  /** The keys of the current change whose writes were abandoned. */
  private final Set<ObjectKey> givenUp = new HashSet<>();

  /**
   * Creates an applier, which must be the only writer of the store.
   *
   * @param onLoss the action to run when a change is abandoned; it requests a list that compensates
   *     for the loss
   */
  DeltaApplier(DeltaFifo<T> fifo, Store<T> store, SharedProcessor<T> processor, Runnable onLoss) {
    this.fifo = fifo;
    this.store = store;
    this.processor = processor;
    this.writer = new CacheWriter<>(store, processor);
    this.onLoss = onLoss;
  }

  /** Returns whether the first list has been applied completely. */
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
   * Applies a list. After a failure, the applier can apply the list again from the start, because
   * states that are already stored do not cause events.
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
   * Reports the addition and the deletion of an object that this process has written, and that was
   * deleted before a list or a watch showed it. Otherwise, handlers would not receive its deletion,
   * although this process has read the object. Any thread can call this method.
   */
  void reportMissed(CachedObject<T> object) {
    fifo.sync(() -> addAndDelete(object));
  }

  /**
   * Adds an object to the store if the store does not contain its key, and then removes the object.
   * Does nothing if the store contains a successor of the object, because the deletion was reported
   * when the successor arrived.
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
