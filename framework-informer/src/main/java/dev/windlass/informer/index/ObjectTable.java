// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A hash table of states by the key that each state carries. It needs only one array of references:
 * 6 to 8 bytes per object while it grows, and never more than 16, whereas a {@code
 * ConcurrentHashMap} takes 40 (with references of 4 bytes, as in heaps below 32 GB). Supports one
 * writer at a time, which holds a lock of the caller, and any number of readers, which hold no lock
 * and never wait.
 *
 * <p><em>The array.</em> Open addressing with linear probing: the search for a key starts at its
 * hash and continues to the right, wrapping around at the end, until it finds the key or an empty
 * slot. At most two thirds of the slots are in use, so there is always an empty one. A slot
 * contains nothing, a state, or the bare {@link ObjectKey} of a state that was removed.
 *
 * <p><em>A key has one slot for the life of an array.</em> An update overwrites the state in place.
 * A removal leaves the key behind, and only the same key may use that slot again. No slot is ever
 * emptied or given to another key. Readers can therefore rely on the following:
 *
 * <ul>
 *   <li>A search never misses an existing key, because the slots that it passes on the way to the
 *       key's slot stay in use; and no key is missing during an update, which is a single write.
 *   <li>An iteration over the array visits each key at most once, and each key that exists
 *       throughout exactly once.
 * </ul>
 *
 * <p><em>A new array.</em> When the slots in use, including those of removed keys, would exceed two
 * thirds, the writer copies the states to a new array that they half fill, and publishes it. To
 * release memory, it does the same when a removal leaves less than a quarter of the slots with
 * states. A reader that still uses the old array, which is no longer written, sees the content at
 * the publication of the new array, which is later than the start of the read. Between two copies,
 * the number of writes is at least a sixth of the number of slots, so a write takes constant time
 * on average. Sizes are not powers of two, because G1 allocates whole regions for a large array,
 * and would need one more for its header.
 *
 * <p><em>Limitation.</em> Each search among names that were chosen to have the same hash code takes
 * time proportional to their number; a {@code ConcurrentHashMap} would sort them.
 *
 * <p><em>Memory order.</em> A slot is written with release and read with acquire semantics; a new
 * array is filled before the volatile write that publishes it. A reader that sees a state in one
 * table therefore sees everything that the writer did to other tables before.
 *
 * @param <T> the typed class of the objects
 */
final class ObjectTable<T> {

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  /** Slots of a table with one object, the usual size for a value of an index by owner. */
  private static final int SMALLEST = 2;

  private volatile @Nullable Object[] slots = new Object[SMALLEST];

  /** Number of states. */
  private volatile int live;

  /** Number of slots that are not empty. Accessed only by the writer. */
  private int used;

  int size() {
    return live;
  }

  /** Returns the number of slots. */
  int capacity() {
    return slots.length;
  }

  /** Returns the state with a key; null if there is none. */
  @Nullable CachedObject<T> get(ObjectKey key) {
    @Nullable Object[] array = slots;
    int i = home(key, array.length);
    while (true) {
      Object slot = SLOT.getAcquire(array, i);
      if (slot == null) {
        return null;
      }
      if (slot instanceof CachedObject<?> object) {
        if (object.key().equals(key)) {
          return state(slot);
        }
      } else if (slot.equals(key)) {
        return null;
      }
      i = i + 1 == array.length ? 0 : i + 1;
    }
  }

  /** Returns all states, each key once, in no particular order. */
  List<CachedObject<T>> list() {
    List<CachedObject<T>> found = new ArrayList<>(live);
    forEach(found::add);
    return found;
  }

  /** Calls an action for all states, each key once, in no particular order. */
  void forEach(Consumer<? super CachedObject<T>> action) {
    @Nullable Object[] array = slots;
    for (int i = 0; i < array.length; i++) {
      Object slot = SLOT.getAcquire(array, i);
      if (slot instanceof CachedObject<?>) {
        action.accept(state(slot));
      }
    }
  }

  /**
   * Stores a state in place of the one with the same key, which it returns. For the writer only.
   */
  @Nullable CachedObject<T> put(CachedObject<T> object) {
    @Nullable Object[] array = slots;
    int i = slotOf(object.key(), array);
    Object before = array[i];
    if (before instanceof CachedObject<?>) {
      SLOT.setRelease(array, i, object);
      return state(before);
    }
    int now = live + 1;
    if (before == null && 3L * (used + 1) > 2L * array.length) {
      copy(now, object);
    } else {
      SLOT.setRelease(array, i, object);
      used += before == null ? 1 : 0;
    }
    live = now;
    return null;
  }

  /** Removes the state with a key and returns it. For the writer only. */
  @Nullable CachedObject<T> remove(ObjectKey key) {
    @Nullable Object[] array = slots;
    int i = slotOf(key, array);
    Object before = array[i];
    if (!(before instanceof CachedObject<?> object)) {
      return null;
    }
    int now = live - 1;
    SLOT.setRelease(array, i, object.key());
    live = now;
    if (4L * now < array.length && array.length > SMALLEST) {
      copy(now, null);
    }
    return state(before);
  }

  /**
   * Publishes an array sized for this many states, with the existing states and, if given, one
   * more.
   */
  private void copy(int states, @Nullable CachedObject<T> added) {
    @Nullable Object[] array = new Object[Math.max(SMALLEST, 2 * states)];
    for (Object slot : slots) {
      if (slot instanceof CachedObject<?> object) {
        array[emptySlot(object.key(), array)] = object;
      }
    }
    if (added != null) {
      array[emptySlot(added.key(), array)] = added;
    }
    used = states;
    slots = array;
  }

  /** Returns the slot of a key or, if it has none, the slot for its insertion. */
  private static int slotOf(ObjectKey key, @Nullable Object[] array) {
    int i = home(key, array.length);
    while (true) {
      Object slot = array[i];
      if (slot == null
          || (slot instanceof CachedObject<?> object
              ? object.key().equals(key)
              : slot.equals(key))) {
        return i;
      }
      i = i + 1 == array.length ? 0 : i + 1;
    }
  }

  /** Returns the slot for a key that is not in the array yet. */
  private static int emptySlot(ObjectKey key, @Nullable Object[] array) {
    int i = home(key, array.length);
    while (array[i] != null) {
      i = i + 1 == array.length ? 0 : i + 1;
    }
    return i;
  }

  /**
   * Returns the slot at which the search for a key starts. The hash codes of numbered names differ
   * in only a few bits, and runs of used slots make searches long. All bits are therefore mixed
   * (the finalizer of murmur3) before the hash is scaled down to the number of slots.
   */
  private static int home(ObjectKey key, int slots) {
    int hash = key.hashCode();
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    hash ^= hash >>> 16;
    return (int) ((Integer.toUnsignedLong(hash) * slots) >>> 32);
  }

  @SuppressWarnings("unchecked") // slots contain only states that were passed to put
  private static <T> CachedObject<T> state(Object slot) {
    return (CachedObject<T>) slot;
  }
}
