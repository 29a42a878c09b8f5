// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.fifo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.reflector.ChangeSink;
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
 * Queues changes between the reflector and the cache.
 *
 * <p>One call to {@link #poll()} returns all pending changes to one object, in order. Each change
 * is one delta. Objects are returned in the order in which their first pending changes arrived.
 *
 * <p>A list or a {@link Delta.Sync} is a barrier. Changes that were added before a barrier are
 * returned before it, and later changes are returned after it. When a list is applied, the cache
 * has therefore received exactly the changes that preceded the list.
 *
 * <p>The queue never rejects a change and never blocks. Its size is limited by the number of keys
 * between two barriers, not by the number of changes. Once {@link #BOUND} changes are pending, the
 * queue keeps at most four further changes for each key. It merges successive versions of one
 * object, which it identifies by its uid. If an object is created and deleted while the deletion of
 * a predecessor with the same key is pending, the queue drops the changes to that object. {@link
 * PendingChanges} defines the rules.
 *
 * <p>For every object that the cache has received, the queue always returns the last version and
 * the deletion, in order. If an object is created and deleted while its changes are pending, the
 * queue may never return it.
 *
 * <p>One producer and one consumer can use the queue at the same time. {@link #sync}, {@link #size}
 * and {@link #oldestAge} can be called from any thread. The queue reads the clock while it holds
 * its lock. It does not hold the lock while it calls {@code onReadable}.
 *
 * @param <T> the Java class of the objects
 */
public final class DeltaFifo<T> implements ChangeSink<T> {

  /**
   * The number of pending changes at which the queue starts to merge changes: 1,024, which is the
   * initial size of client-go's ring buffer.
   */
  public static final int BOUND = 1024;

  private final Runnable onReadable;
  private final LongSupplier nanoTime;
  private final int bound;

  /** The pending changes and barriers, in the order in which they are returned. */
  @GuardedBy("this")
  private final ArrayDeque<PendingChanges<T>> waiting = new ArrayDeque<>();

  /**
   * The elements of {@code waiting} after the last barrier, by key. Later changes to the same
   * object are added to these elements.
   */
  @GuardedBy("this")
  private Map<ObjectKey, PendingChanges<T>> open = new HashMap<>();

  @GuardedBy("this")
  private int size;

  /**
   * Creates an empty queue that does not measure time. Its {@link #oldestAge} is always zero.
   *
   * @param onReadable the callback that wakes the consumer; see {@link #DeltaFifo(Runnable,
   *     LongSupplier)}
   */
  public DeltaFifo(Runnable onReadable) {
    this(onReadable, () -> 0);
  }

  /**
   * Creates an empty queue.
   *
   * @param onReadable the callback to run after a change has been added to an empty queue. It must
   *     only wake the consumer. The consumer must then poll until the queue is empty
   * @param nanoTime the scheduler's clock, which is read at most once for each change
   */
  public DeltaFifo(Runnable onReadable, LongSupplier nanoTime) {
    this(onReadable, nanoTime, BOUND);
  }

  /**
   * Creates a queue with the given bound. Tests of a complete informer use a small bound, because
   * they cannot reach {@link #BOUND}.
   */
  DeltaFifo(Runnable onReadable, LongSupplier nanoTime, int bound) {
    this.onReadable = onReadable;
    this.nanoTime = nanoTime;
    this.bound = bound;
  }

  @Override
  public void added(CachedObject<T> object) {
    add(Delta.Type.ADDED, object);
  }

  @Override
  public void updated(CachedObject<T> object) {
    add(Delta.Type.UPDATED, object);
  }

  @Override
  public void deleted(CachedObject<T> object) {
    add(Delta.Type.DELETED, object);
  }

  @Override
  public void replace(List<CachedObject<T>> objects, long version) {
    addBarrier(new Delta.Replaced<>(objects, version));
  }

  /**
   * Adds an action. The consumer runs it after all currently pending changes have been applied.
   *
   * @param action the action; if it throws an exception, the consumer runs it again
   */
  public void sync(Runnable action) {
    addBarrier(new Delta.Sync<>(action));
  }

  /**
   * Removes and returns the first element of the queue. It contains either all pending changes to
   * one object or one barrier. Returns an empty list if the queue is empty.
   */
  public List<Delta<T>> poll() {
    List<List<Delta<T>>> next = poll(1);
    return next.isEmpty() ? List.of() : next.get(0);
  }

  /**
   * Removes and returns up to {@code max} elements of the queue. Acquires the lock only once. Each
   * element is what one call to {@link #poll()} would return. If this method returns fewer than
   * {@code max} elements, the queue is empty, and {@code onReadable} is called when the next change
   * arrives.
   *
   * @param max the maximum number of elements
   */
  public synchronized List<List<Delta<T>>> poll(int max) {
    int count = Math.min(max, waiting.size());
    // The list is allocated first, because changes that have left the queue must not be lost if
    // memory is exhausted.
    List<List<Delta<T>>> taken = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      PendingChanges<T> next = waiting.remove();
      size -= next.size();
      ObjectKey key = next.key();
      @SuppressWarnings("ReferenceEquality") // equal changes may exist after a barrier
      boolean isOpen = key != null && open.get(key) == next;
      if (isOpen) {
        open.remove(key);
      }
      taken.add(next);
    }
    return taken;
  }

  public synchronized int size() {
    return size;
  }

  /**
   * Returns how long the oldest change in the queue has waited, or zero if the queue is empty.
   * Changes that have been polled are no longer in the queue, even if they have not been applied
   * yet.
   */
  public synchronized Duration oldestAge() {
    PendingChanges<T> oldest = waiting.peek();
    return oldest == null
        ? Duration.ZERO
        : Duration.ofNanos(nanoTime.getAsLong() - oldest.arrivedAt());
  }

  private void add(Delta.Type type, CachedObject<T> object) {
    ObjectKey key = object.key();
    Delta<T> delta = new Delta.Change<>(type, object);
    boolean wasEmpty = false;
    try {
      synchronized (this) {
        wasEmpty = waiting.isEmpty();
        PendingChanges<T> ofKey = open.get(key);
        if (ofKey == null) {
          ofKey = new PendingChanges<>(key, nanoTime.getAsLong(), delta);
          waiting.add(ofKey);
          size++;
          open.put(key, ofKey); // must come last: if it fails, the change is already queued
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
        PendingChanges<T> barrier = new PendingChanges<>(null, nanoTime.getAsLong(), delta);
        // A new map is created, because clearing a map that was once large takes a long time every
        // time.
        Map<ObjectKey, PendingChanges<T>> none = open.isEmpty() ? open : new HashMap<>();
        waiting.add(barrier);
        open = none;
        size++;
      }
    } finally {
      wakeIf(wasEmpty);
    }
  }

  /**
   * Wakes the consumer if the queue was empty. This method must be called even if the addition
   * failed midway, because the change may already be in the queue. Further additions would then not
   * wake the consumer.
   */
  private void wakeIf(boolean wasEmpty) {
    if (wasEmpty) {
      onReadable.run();
    }
  }
}
