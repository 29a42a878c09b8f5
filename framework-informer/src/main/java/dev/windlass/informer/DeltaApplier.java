// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.fifo.Delta;
import dev.windlass.informer.fifo.DeltaFifo;
import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.SharedProcessor;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.time.Loop;
import dev.windlass.time.Pause;
import dev.windlass.time.Step;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies queued changes: takes them from the FIFO, writes them to the store, and passes the
 * resulting events to the processor. The only class that connects these three, and the only writer
 * of the store.
 *
 * <p>The content of the store determines what a change means, not the event type sent by the
 * server: an addition of a known object is an update, and an update of an unknown object is an
 * addition. A state that is older than the stored state of the same object, or identical to it, is
 * dropped. Lists are consistent, so an older state in a list means that the server went back in
 * time, for example because a backup was restored; such a state is applied. An object that was
 * deleted and created again is reported as a deletion and an addition.
 *
 * <p>A list is applied object by object. Until all of it has arrived, readers see the complete old
 * cache. While it is applied, each key changes once, from its old state to its new one, and keys
 * that are missing from the list are removed after all others have been applied. A reader therefore
 * never misses an object that is in both the cache and the list, but two consecutive reads may show
 * states from before and after the list.
 *
 * <p>A step that fails midway, for example because memory runs out, loses nothing. Changes that
 * were taken from the FIFO are kept and completed first, {@link Loop#AFTER_FAILURE} later: the
 * write is repeated, and then its event is delivered. No event is delivered twice, but a {@link
 * Delta.Sync} is run again as a whole. A change that fails {@link #TRIES} times in a row is
 * abandoned: an error is logged and a list is requested. In a list, only the object whose write
 * fails is abandoned. An event whose write was done is never abandoned.
 */
final class DeltaApplier<T> implements Step {

  /** Maximum number of objects per step, so that a busy applier can still be stopped. */
  private static final int BATCH = 100;

  /** Number of failed attempts after which a change is abandoned: 3. */
  private static final int TRIES = 3;

  private static final Logger log = LoggerFactory.getLogger(SharedIndexInformer.class);

  private final DeltaFifo<T> fifo;
  private final Store<T> store;
  private final SharedProcessor<T> processor;
  private final CacheWriter<T> writer;
  private final Runnable onLoss;
  private volatile boolean synced;

  /**
   * Changes taken from the FIFO; {@code object} and {@code change} mark how far they are applied.
   */
  private List<List<Delta<T>>> taken = List.of();

  private int object;
  private int change;

  /** How often the current change has failed without progress. */
  private int failures;

  /** Keys of the current change whose writes were abandoned. */
  private final Set<ObjectKey> givenUp = new HashSet<>();

  /**
   * Creates an applier, which must be the only writer of the store.
   *
   * @param onLoss called when a change is abandoned; requests a list that compensates for the loss
   */
  DeltaApplier(DeltaFifo<T> fifo, Store<T> store, SharedProcessor<T> processor, Runnable onLoss) {
    this.fifo = fifo;
    this.store = store;
    this.processor = processor;
    this.writer = new CacheWriter<>(store, processor);
    this.onLoss = onLoss;
  }

  /** Reports whether the first list has been applied completely. */
  boolean hasSynced() {
    return synced;
  }

  @Override
  public Pause run() {
    writer.deliver(); // left over from an earlier step; these are retried without limit
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
      return Pause.NONE;
    }
    writer.deliver();
    boolean emptied = taken.size() < BATCH; // if not, the FIFO sends no wake-up for the rest
    taken = List.of();
    object = 0;
    return emptied ? Pause.UNTIL_WOKEN : Pause.NONE;
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
        writer
            .deliver(); // a joining handler receives the content of the store, which includes these
        ((Delta.Sync<T>) delta).action().run();
      }
    }
  }

  private void upsert(CachedObject<T> object, boolean listed) {
    CachedObject<T> old = store.get(object.key()).orElse(null);
    if (old == null) {
      write(null, new ResourceEvent.Added<>(object, !synced));
    } else if (!old.isSameObject(object)) {
      // One write, so that readers never see the key vanish; two events, because the old object was
      // deleted.
      write(new ResourceEvent.Deleted<>(old, true), new ResourceEvent.Added<>(object, false));
    } else if ((listed || !object.isOlderThan(old)) && !object.isSameVersion(old)) {
      if (object.isOlderThan(old)) {
        log.debug("The server lists an older version of {} than before", object);
      }
      write(null, new ResourceEvent.Updated<>(old, object));
    }
  }

  private void delete(CachedObject<T> last) {
    @Nullable CachedObject<T> known = store.get(last.key()).orElse(null);
    if (known == null) {
      return; // already reported, or never known
    }
    if (known.isSameObject(last)) {
      write(null, new ResourceEvent.Deleted<>(last, false));
    } else if (known.version() >= 0 && known.version() < last.version()) {
      // The deleted object had replaced the known one, whose own deletion was missed.
      write(null, new ResourceEvent.Deleted<>(known, true));
    } // else a successor exists, and its arrival has reported the deletion
  }

  /**
   * Applies a list. Can be run again from the start after a failure: states that are already stored
   * cause no events.
   */
  private void replace(Delta.Replaced<T> list) {
    List<CachedObject<T>> objects = list.objects();
    boolean first = store.size() == 0; // then there is nothing to delete
    for (CachedObject<T> object : objects) {
      upsert(object, true);
    }
    if (!first) {
      deleteOthers(objects);
    }
    store.listed(list.version());
    if (!synced) {
      writer.deliver();
      processor.initialListSent();
      synced = true;
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
