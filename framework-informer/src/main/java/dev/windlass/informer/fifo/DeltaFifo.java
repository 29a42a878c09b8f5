// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.fifo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.feed.ChangeSink;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The changes that wait between the reflector and the cache.
 *
 * <p>What waits for one object comes out together, in order: five changes are five deltas in one
 * {@link #poll()} (002-09). Objects come out in the order in which their first waiting change
 * arrived.
 *
 * <p>A list, and a {@link Delta.Sync}, is a barrier: all that came before comes out before it, all
 * that came after comes out after it. So whoever applies a list compares it with a cache that is
 * exactly as old as the list is not.
 *
 * <p>It never refuses and never blocks. When more than {@link #BOUND} changes wait, a change of an
 * object replaces its last waiting one, if that is a state of the same object (by uid): so memory
 * is bounded by the numbers of objects and deletions, not by changes. Deletions are never replaced,
 * and nothing replaces across one.
 *
 * <p>Safe for one producer and one consumer; {@link #sync} may be called by any thread.
 *
 * @param <T> the typed class of the objects
 */
public final class DeltaFifo<T> implements ChangeSink<T> {

  /** Up to so many waiting changes are kept one by one. */
  public static final int BOUND = 1024;

  private final Runnable onReadable;

  /** In the order in which they come out; each list is of one object, or is one barrier. */
  @GuardedBy("this")
  private final ArrayDeque<List<Delta<T>>> waiting = new ArrayDeque<>();

  /** The lists in {@code waiting} that may still grow: those behind the last barrier. */
  @GuardedBy("this")
  private final Map<ObjectKey, List<Delta<T>>> open = new HashMap<>();

  @GuardedBy("this")
  private int size;

  /**
   * An empty queue.
   *
   * @param onReadable called by the producer after each addition; must only wake the consumer
   */
  public DeltaFifo(Runnable onReadable) {
    this.onReadable = onReadable;
  }

  @Override
  public void added(CachedObject<T> object) {
    add(object.key(), new Delta.Added<>(object));
  }

  @Override
  public void updated(CachedObject<T> object) {
    add(object.key(), new Delta.Updated<>(object));
  }

  @Override
  public void deleted(CachedObject<T> object) {
    add(object.key(), new Delta.Deleted<>(object));
  }

  @Override
  public void replace(List<CachedObject<T>> objects) {
    addBarrier(new Delta.Replaced<>(objects));
  }

  /** Lets the consumer do something when all that waits now has been applied. */
  public void sync(Runnable action) {
    addBarrier(new Delta.Sync<>(action));
  }

  /** The changes of the object that waits longest, or one barrier; empty if nothing waits. */
  public synchronized List<Delta<T>> poll() {
    List<Delta<T>> next = waiting.poll();
    if (next == null) {
      return List.of();
    }
    size -= next.size();
    ObjectKey key = keyOf(next.get(0));
    if (key != null && open.get(key) == next) {
      open.remove(key); // by identity: an equal list may be open behind a barrier
    }
    return next;
  }

  /** How many deltas wait. */
  public synchronized int size() {
    return size;
  }

  private void add(ObjectKey key, Delta<T> delta) {
    synchronized (this) {
      List<Delta<T>> ofKey = open.get(key);
      if (ofKey == null) {
        ofKey = new ArrayList<>(2);
        open.put(key, ofKey);
        waiting.add(ofKey);
      }
      int last = ofKey.size() - 1;
      if (size >= BOUND && last >= 0 && isMergeable(ofKey.get(last), delta)) {
        ofKey.set(last, merge(ofKey.get(last), delta));
      } else {
        ofKey.add(delta);
        size++;
      }
    }
    onReadable.run();
  }

  private void addBarrier(Delta<T> delta) {
    synchronized (this) {
      open.clear();
      waiting.add(List.of(delta));
      size++;
    }
    onReadable.run();
  }

  private boolean isMergeable(Delta<T> last, Delta<T> next) {
    CachedObject<T> before = state(last);
    CachedObject<T> after = state(next);
    return before != null && after != null && before.isSameObject(after);
  }

  private Delta<T> merge(Delta<T> last, Delta<T> next) {
    CachedObject<T> after = state(next);
    if (after == null) {
      throw new IllegalStateException("not mergeable: " + next);
    }
    CachedObject<T> before = state(last);
    if (before != null && after.isOlderThan(before)) {
      return last; // out of order; the applier would have dropped it
    }
    return last.type() == Delta.Type.ADDED ? new Delta.Added<>(after) : new Delta.Updated<>(after);
  }

  /** The state that an addition or an update brings; null for everything else. */
  private @Nullable CachedObject<T> state(Delta<T> delta) {
    return switch (delta.type()) {
      case ADDED -> ((Delta.Added<T>) delta).object();
      case UPDATED -> ((Delta.Updated<T>) delta).object();
      case DELETED, REPLACED, SYNC -> null;
    };
  }

  private @Nullable ObjectKey keyOf(Delta<T> delta) {
    return switch (delta.type()) {
      case ADDED -> ((Delta.Added<T>) delta).object().key();
      case UPDATED -> ((Delta.Updated<T>) delta).object().key();
      case DELETED -> ((Delta.Deleted<T>) delta).object().key();
      case REPLACED, SYNC -> null;
    };
  }
}
