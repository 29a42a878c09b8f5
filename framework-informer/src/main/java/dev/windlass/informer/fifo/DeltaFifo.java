// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.fifo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.feed.ChangeSink;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

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
 * <p>It never refuses and never blocks, and yet is bounded by the number of keys (between two
 * barriers), not by that of changes. While {@link #BOUND} changes or more wait, of one key at most
 * four more are kept: states of one object (by uid) are merged, and an object that came and went
 * behind the deletion of its predecessor vanishes. {@link Changes} has the rule.
 *
 * <p>So the last state and the end of every object that the cache has taken in always come out, in
 * order; objects that came and went while all of this waited may never show.
 *
 * <p>Safe for one producer and one consumer; {@link #sync}, {@link #size} and {@link #oldestAge}
 * may be called by any thread. No call of foreign code is made under the lock, but to the clock.
 *
 * @param <T> the typed class of the objects
 */
public final class DeltaFifo<T> implements ChangeSink<T> {

  /** Up to so many waiting changes are kept one by one: 1,024 (client-go's first ring, 002-36). */
  public static final int BOUND = 1024;

  private final Runnable onReadable;
  private final LongSupplier nanoTime;
  private final int bound;

  /** In the order in which they come out. */
  @GuardedBy("this")
  private final ArrayDeque<Changes<T>> waiting = new ArrayDeque<>();

  /** Those in {@code waiting} that may still grow: what came after the last barrier. */
  @GuardedBy("this")
  private Map<ObjectKey, Changes<T>> open = new HashMap<>();

  @GuardedBy("this")
  private int size;

  /**
   * An empty queue that has no clock: {@link #oldestAge} is always zero.
   *
   * @param onReadable see {@link #DeltaFifo(Runnable, LongSupplier)}
   */
  public DeltaFifo(Runnable onReadable) {
    this(onReadable, () -> 0);
  }

  /**
   * An empty queue.
   *
   * @param onReadable called by the producer when something waits and nothing did before, after it
   *     can be polled; must only wake the consumer, which then polls until nothing comes
   * @param nanoTime the scheduler's; read once per change
   */
  public DeltaFifo(Runnable onReadable, LongSupplier nanoTime) {
    this(onReadable, nanoTime, BOUND);
  }

  /** A queue with another bound, so that tests of the whole chain reach it. */
  DeltaFifo(Runnable onReadable, LongSupplier nanoTime, int bound) {
    this.onReadable = onReadable;
    this.nanoTime = nanoTime;
    this.bound = bound;
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
  public void replace(List<CachedObject<T>> objects, long version) {
    addBarrier(new Delta.Replaced<>(objects, version));
  }

  /**
   * Lets the consumer do something when all that waits now has been applied.
   *
   * @param action run by the consumer, again if it throws; so it may be run more than once
   */
  public void sync(Runnable action) {
    addBarrier(new Delta.Sync<>(action));
  }

  /** The changes of the object that waits longest, or one barrier; empty if nothing waits. */
  public List<Delta<T>> poll() {
    List<List<Delta<T>>> next = poll(1);
    return next.isEmpty() ? List.of() : next.get(0);
  }

  /**
   * What that many calls of {@link #poll()} would bring, with the lock taken once. Fewer come only
   * if nothing waits any more; then {@code onReadable} is called for the next change.
   *
   * @param max how many objects or barriers at most
   */
  public synchronized List<List<Delta<T>>> poll(int max) {
    int count = Math.min(max, waiting.size());
    // Memory is asked for first: what has left the queue must not be lost for want of it.
    List<List<Delta<T>>> taken = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Changes<T> next = waiting.remove();
      size -= next.size();
      ObjectKey key = next.key();
      @SuppressWarnings("ReferenceEquality") // equal ones may be open behind a barrier
      boolean isOpen = key != null && open.get(key) == next;
      if (isOpen) {
        open.remove(key);
      }
      taken.add(next);
    }
    return taken;
  }

  /** How many deltas wait. */
  public synchronized int size() {
    return size;
  }

  /**
   * How long the change that waits longest has waited; zero if nothing waits. What was polled does
   * not count, applied or not.
   */
  public synchronized Duration oldestAge() {
    Changes<T> oldest = waiting.peek();
    return oldest == null
        ? Duration.ZERO
        : Duration.ofNanos(nanoTime.getAsLong() - oldest.arrivedAt());
  }

  private void add(ObjectKey key, Delta<T> delta) {
    boolean wasEmpty = false;
    try {
      synchronized (this) {
        wasEmpty = waiting.isEmpty();
        Changes<T> ofKey = open.get(key);
        if (ofKey == null) {
          ofKey = new Changes<>(key, nanoTime.getAsLong(), delta);
          waiting.add(ofKey);
          size++;
          open.put(key, ofKey); // last: if there is no memory for it, the change waits all the same
        } else {
          int before = ofKey.size();
          if (size < bound) {
            ofKey.add(delta);
          } else {
            ofKey.addCompressing(delta);
          }
          size += ofKey.size() - before;
        }
      }
    } finally {
      wakeIf(wasEmpty);
    }
  }

  private void addBarrier(Delta<T> delta) {
    boolean wasEmpty = false;
    try {
      synchronized (this) {
        wasEmpty = waiting.isEmpty();
        Changes<T> barrier = new Changes<>(null, nanoTime.getAsLong(), delta);
        // A new map, since to clear one that was large once takes long each time.
        Map<ObjectKey, Changes<T>> none = open.isEmpty() ? open : new HashMap<>();
        waiting.add(barrier);
        open = none;
        size++;
      }
    } finally {
      wakeIf(wasEmpty);
    }
  }

  /** Also when the addition broke off, as nobody after it would find the queue empty. */
  private void wakeIf(boolean wasEmpty) {
    if (wasEmpty) {
      onReadable.run();
    }
  }
}
