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
 * <p>One call to {@link #poll()} returns all pending changes to one object, in order. For example,
 * it returns five changes as five deltas. Objects are returned in the order in which their first
 * pending change arrived.
 *
 * <p>A list or a {@link Delta.Sync} is a barrier: changes added before the barrier are returned
 * before it, and changes added after the barrier are returned after it. A list is therefore applied
 * to a cache that has received exactly the changes before the list.
 *
 * <p>The queue never rejects a change and never blocks. Its size is nevertheless limited by the
 * number of keys (between two barriers), not by the number of changes. Once {@link #BOUND} changes
 * are pending, the queue keeps at most four further changes for each key. It merges states of one
 * object (by uid). If an object is created and deleted while the deletion of a predecessor with the
 * same key is pending, the queue drops the changes of that object. {@link PendingChanges} defines
 * the rules.
 *
 * <p>For every object that the cache has received, the last state and the deletion are therefore
 * always returned, in order. Objects that are created and deleted while their changes are pending
 * may never be returned.
 *
 * <p>One producer and one consumer can use the queue at the same time. {@link #sync}, {@link #size}
 * and {@link #oldestAge} can be called from any thread. The clock is the only code supplied by the
 * caller that runs under the lock.
 *
 * @param <T> the Java class of the objects
 */
public final class DeltaFifo<T> implements ChangeSink<T> {

  /**
   * The maximum number of pending changes before the queue starts to merge them. The value, 1,024,
   * is the initial size of client-go's ring buffer.
   */
  public static final int BOUND = 1024;

  private final Runnable onReadable;
  private final LongSupplier nanoTime;
  private final int bound;

  /** The pending changes and barriers, in the order in which they are returned. */
  @GuardedBy("this")
  private final ArrayDeque<PendingChanges<T>> waiting = new ArrayDeque<>();

  /**
   * The elements of {@code waiting} that arrived after the last barrier, by key. Later changes to
   * the same object are merged into them.
   */
  @GuardedBy("this")
  private Map<ObjectKey, PendingChanges<T>> open = new HashMap<>();

  @GuardedBy("this")
  private int size;

  /**
   * Creates an empty queue without a clock, for which {@link #oldestAge} always returns zero.
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
   * @param onReadable the callback that the producer calls after it has added a change to an empty
   *     queue. It must only wake the consumer, which then polls until the queue is empty
   * @param nanoTime the scheduler's clock, which is read at most once for each change
   */
  public DeltaFifo(Runnable onReadable, LongSupplier nanoTime) {
    this(onReadable, nanoTime, BOUND);
  }

  /**
   * Creates a queue with the given bound. Tests that run a whole informer use a small bound so that
   * they can reach it.
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
   * Adds an action that the consumer runs after all currently pending changes have been applied.
   *
   * @param action the action, which can run more than once, because the consumer runs it again if
   *     it throws an exception
   */
  public void sync(Runnable action) {
    addBarrier(new Delta.Sync<>(action));
  }

  /**
   * Removes and returns the first element of the queue, which contains either the pending changes
   * to one object or one barrier. Returns an empty list if the queue is empty.
   */
  public List<Delta<T>> poll() {
    List<List<Delta<T>>> next = poll(1);
    return next.isEmpty() ? List.of() : next.get(0);
  }

  /**
   * Removes and returns the results of up to {@code max} calls to {@link #poll()}, but takes the
   * lock only once. If this method returns fewer than {@code max} results, the queue is empty, and
   * the producer calls {@code onReadable} for the next change.
   *
   * @param max the maximum number of objects or barriers
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

  /** Returns the number of pending deltas. */
  public synchronized int size() {
    return size;
  }

  /**
   * Returns the waiting time of the oldest change in the queue, or zero if the queue is empty.
   * Changes that were polled do not count, even if they have not been applied yet.
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
   * Wakes the consumer if the queue was empty. The producer must call this method even if the
   * addition failed midway: if the queue is no longer empty, later additions do not wake the
   * consumer.
   */
  private void wakeIf(boolean wasEmpty) {
    if (wasEmpty) {
      onReadable.run();
    }
  }
}
