// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.fifo.Delta;
import dev.windlass.informer.fifo.DeltaFifo;
import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.SharedProcessor;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import dev.windlass.time.Pause;
import dev.windlass.time.Step;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
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
 */
final class DeltaApplier<T> implements Step {

  /** Polls per step, so that a busy applier does not keep its loop from being stopped. */
  private static final int BATCH = 100;

  private static final Logger log = LoggerFactory.getLogger(SharedIndexInformer.class);

  private final DeltaFifo<T> fifo;
  private final Store<T> store;
  private final SharedProcessor<T> processor;
  private final Runnable onLoss;
  private volatile boolean synced;

  /**
   * An applier for a store that nobody else writes.
   *
   * @param onLoss called when a step broke off
   */
  DeltaApplier(DeltaFifo<T> fifo, Store<T> store, SharedProcessor<T> processor, Runnable onLoss) {
    this.fifo = fifo;
    this.store = store;
    this.processor = processor;
    this.onLoss = onLoss;
  }

  /** Whether the first list has been applied as a whole. */
  boolean hasSynced() {
    return synced;
  }

  @Override
  public Pause run() {
    boolean applied = false;
    try {
      Pause pause = applySome();
      applied = true;
      return pause;
    } finally {
      if (!applied) {
        onLoss.run(); // what was taken from the FIFO is gone, and only a list brings it back
      }
    }
  }

  private Pause applySome() {
    for (int i = 0; i < BATCH; i++) {
      List<Delta<T>> deltas = fifo.poll();
      if (deltas.isEmpty()) {
        return Pause.UNTIL_WOKEN;
      }
      deltas.forEach(this::apply);
    }
    return Pause.NONE;
  }

  private void apply(Delta<T> delta) {
    switch (delta.type()) {
      case ADDED -> upsert(((Delta.Added<T>) delta).object(), false);
      case UPDATED -> upsert(((Delta.Updated<T>) delta).object(), false);
      case DELETED -> delete(((Delta.Deleted<T>) delta).object());
      case REPLACED -> replace(((Delta.Replaced<T>) delta).objects());
      case SYNC -> ((Delta.Sync<T>) delta).action().run();
    }
  }

  private void upsert(CachedObject<T> object, boolean listed) {
    CachedObject<T> old = store.get(object.key()).orElse(null);
    if (old == null) {
      store.put(object);
      processor.distribute(new ResourceEvent.Added<>(object, !synced));
    } else if (!old.isSameObject(object)) {
      recreate(old, object);
    } else if ((listed || !object.isOlderThan(old)) && !object.isSameVersion(old)) {
      if (object.isOlderThan(old)) {
        log.warn("The server lists {} older than it was before; was it restored?", object);
      }
      store.put(object);
      processor.distribute(new ResourceEvent.Updated<>(old, object));
    }
  }

  private void recreate(CachedObject<T> old, CachedObject<T> object) {
    // One write, so that readers never see the key vanish; two events, because it did.
    store.put(object);
    processor.distribute(new ResourceEvent.Deleted<>(old, true));
    processor.distribute(new ResourceEvent.Added<>(object, false));
  }

  private void delete(CachedObject<T> last) {
    @Nullable CachedObject<T> known = store.get(last.key()).orElse(null);
    if (known == null || !known.isSameObject(last)) {
      return; // told already, or never known; or a successor is there, whose arrival told of it
    }
    store.remove(last.key());
    processor.distribute(new ResourceEvent.Deleted<>(last, false));
  }

  private void replace(List<CachedObject<T>> objects) {
    Set<ObjectKey> listed = new HashSet<>();
    for (CachedObject<T> object : objects) {
      listed.add(object.key());
      upsert(object, true);
    }
    for (ObjectKey key : store.keys()) {
      if (!listed.contains(key)) {
        Optional<CachedObject<T>> gone = store.remove(key);
        gone.ifPresent(last -> processor.distribute(new ResourceEvent.Deleted<>(last, true)));
      }
    }
    if (!synced) {
      synced = true;
      processor.initialListSent();
    }
  }
}
