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
 * Moves changes on: takes them from the FIFO, applies them to the store, and tells the processor
 * what that meant. The only place where the three meet, and the only writer of the store.
 *
 * <p>What a change means is decided by what the store holds, not by what the server called it
 * (002-16): an addition of a known object is an update, an update of an unknown one an addition. A
 * state that is older than the stored one of the same object is dropped (P1), and so is one that is
 * the same. Lists are consistent, so an older state in a list means that time went back on the
 * server, as it does when a backup is restored: it is taken (A8). An object that was deleted and
 * created again is a deletion and an addition.
 *
 * <p>A list is applied object by object (004-41). While it is on its way, readers see the complete
 * old copy; while it is applied, each key changes once, from its old state to its new one, and keys
 * that the list lacks go after all others have come. So a reader never misses an object that is in
 * both, but two reads in a row may show the one before and the next after the list.
 *
 * <p>A step that breaks off (no memory, say) loses nothing. What was taken from the FIFO stays in
 * hand and is finished first, {@link Loop#AFTER_FAILURE} later: the write is done again, then its
 * event is told; what was told is not told again, but a {@link Delta.Sync} is run anew as a whole.
 * What breaks off {@link #TRIES} times in a row is given up, with an error in the log and a list
 * asked for; of a list, that is the one object whose write fails. An event whose write was done is
 * never given up.
 */
final class DeltaApplier<T> implements Step {

  /** Objects per step, so that a busy applier does not keep its loop from being stopped. */
  private static final int BATCH = 100;

  /** How often a change may break off before it is given up: 3. */
  private static final int TRIES = 3;

  private static final Logger log = LoggerFactory.getLogger(SharedIndexInformer.class);

  private final DeltaFifo<T> fifo;
  private final Store<T> store;
  private final SharedProcessor<T> processor;
  private final CacheWriter<T> writer;
  private final Runnable onLoss;
  private volatile boolean synced;

  /** What was taken from the FIFO; {@code object} and {@code change} say how far it is applied. */
  private List<List<Delta<T>>> taken = List.of();

  private int object;
  private int change;

  /** How often the change has broken off without having come any further. */
  private int failures;

  /** Keys of the current change whose writes were given up. */
  private final Set<ObjectKey> givenUp = new HashSet<>();

  /**
   * An applier for a store that nobody else writes.
   *
   * @param onLoss called when a change was given up, so that a list can heal it
   */
  DeltaApplier(DeltaFifo<T> fifo, Store<T> store, SharedProcessor<T> processor, Runnable onLoss) {
    this.fifo = fifo;
    this.store = store;
    this.processor = processor;
    this.writer = new CacheWriter<>(store, processor);
    this.onLoss = onLoss;
  }

  /** Whether the first list has been applied as a whole. */
  boolean hasSynced() {
    return synced;
  }

  @Override
  public Pause run() {
    writer.tell(); // what an earlier step could not; no number of failures makes it dispensable
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
    writer.tell();
    boolean emptied = taken.size() < BATCH; // else the FIFO will wake nobody for what it holds
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
      case ADDED -> upsert(((Delta.Added<T>) delta).object(), false);
      case UPDATED -> upsert(((Delta.Updated<T>) delta).object(), false);
      case DELETED -> delete(((Delta.Deleted<T>) delta).object());
      case REPLACED -> replace((Delta.Replaced<T>) delta);
      case SYNC -> {
        writer.tell(); // a handler that joins is shown the store, which has all of this already
        ((Delta.Sync<T>) delta).action().run();
      }
    }
  }

  private void upsert(CachedObject<T> object, boolean listed) {
    CachedObject<T> old = store.get(object.key()).orElse(null);
    if (old == null) {
      write(null, new ResourceEvent.Added<>(object, !synced));
    } else if (!old.isSameObject(object)) {
      // One write, so that readers never see the key vanish; two events, because it did.
      write(new ResourceEvent.Deleted<>(old, true), new ResourceEvent.Added<>(object, false));
    } else if ((listed || !object.isOlderThan(old)) && !object.isSameVersion(old)) {
      if (object.isOlderThan(old)) {
        log.debug("The server lists {} older than it was before", object);
      }
      write(null, new ResourceEvent.Updated<>(old, object));
    }
  }

  private void delete(CachedObject<T> last) {
    @Nullable CachedObject<T> known = store.get(last.key()).orElse(null);
    if (known == null) {
      return; // told already, or never known
    }
    if (known.isSameObject(last)) {
      write(null, new ResourceEvent.Deleted<>(last, false));
    } else if (known.version() >= 0 && known.version() < last.version()) {
      // What was deleted had come in the place of what is known, whose own end was missed (C5).
      write(null, new ResourceEvent.Deleted<>(known, true));
    } // else a successor is there, whose arrival told of it
  }

  /** May run again from the start when it broke off: what is in place already means nothing new. */
  private void replace(Delta.Replaced<T> list) {
    List<CachedObject<T>> objects = list.objects();
    boolean first = store.size() == 0; // so that there is nothing to delete
    for (CachedObject<T> object : objects) {
      upsert(object, true);
    }
    if (!first) {
      deleteOthers(objects);
    }
    store.listed(list.version());
    if (!synced) {
      writer.tell();
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
      log.error("{} can't be brought into the cache; it is given up", event.object(), cause);
      givenUp.add(event.key());
    } else {
      Delta<T> delta = taken.get(object).get(change);
      log.error("{} can't be applied; it is given up", describe(delta), cause);
      endChange();
    }
    onLoss.run();
  }

  private String describe(Delta<T> delta) {
    return switch (delta.type()) {
      case ADDED -> "The addition of " + ((Delta.Added<T>) delta).object();
      case UPDATED -> "The update of " + ((Delta.Updated<T>) delta).object();
      case DELETED -> "The deletion of " + ((Delta.Deleted<T>) delta).object();
      case REPLACED -> "A list of " + ((Delta.Replaced<T>) delta).objects().size() + " objects";
      case SYNC -> "A resync, or the replay for a new handler,";
    };
  }
}
