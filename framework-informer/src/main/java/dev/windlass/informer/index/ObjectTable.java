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
 * A hash table of states by the key that each carries: one array of references and nothing else per
 * object. While it grows that is 6 to 8 bytes, and never more than 16, where a {@code
 * ConcurrentHashMap} takes 40. (With references of 4 bytes, as in heaps below 32 GB.) One writer at
 * a time, which holds a lock of the caller's; any number of readers, which hold none and never
 * wait.
 *
 * <p><em>The array.</em> Open addressing with linear probing: a key's search begins at its hash and
 * goes on to the right, around the end, until it meets the key or an empty slot. At most two thirds
 * of the slots are in use, so there always is an empty one. A slot holds nothing, a state, or the
 * bare {@link ObjectKey} of a state that was removed.
 *
 * <p><em>A key has one slot for the life of an array.</em> An update overwrites the state in place.
 * A removal leaves the key behind, and only the same key may use that slot again. No slot is ever
 * emptied, nor given to another key. From this follows all that readers need:
 *
 * <ul>
 *   <li>A search never misses a key that is there, because what it passes on the way to the key's
 *       slot stays in use; and never sees a key vanish in an update, which is one write.
 *   <li>A walk over the array meets each key at most once, and each key that is there throughout
 *       exactly once.
 * </ul>
 *
 * <p><em>A new array.</em> When the slots in use, removed keys included, would exceed two thirds,
 * the writer copies the states into a new array, of which they take half, and publishes that. So it
 * does when a removal leaves less than a quarter of the slots to states, to give memory back. A
 * reader that still holds the old array, to which nobody writes any more, sees what was there when
 * the new one was published, which is after that reader began. Between two copies lie at least as
 * many writes as a sixth of the array has slots, so a write costs a constant time on average. Sizes
 * are no powers of two: G1 gives a large array whole regions, and for its header one more.
 *
 * <p><em>What it lacks.</em> Names that were chosen to have one hash code make each search among
 * them as long as they are many; a {@code ConcurrentHashMap} would sort them.
 *
 * <p><em>Memory order.</em> A slot is written with release and read with acquire semantics; a new
 * array is filled before the volatile write that publishes it. Who sees a state in one table
 * therefore sees whatever the writer did to other tables before.
 *
 * @param <T> the typed class of the objects
 */
final class ObjectTable<T> {

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  /** Slots of a table with one object, as most values of an index by owner have. */
  private static final int SMALLEST = 2;

  private volatile @Nullable Object[] slots = new Object[SMALLEST];

  /** How many states there are. */
  private volatile int live;

  /** How many slots are not empty. The writer's own. */
  private int used;

  int size() {
    return live;
  }

  /** How many slots there are. */
  int capacity() {
    return slots.length;
  }

  /** The state under a key. */
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

  /** All states, each key once, in no order. */
  List<CachedObject<T>> list() {
    List<CachedObject<T>> found = new ArrayList<>(live);
    forEach(found::add);
    return found;
  }

  /** Calls for all states, each key once, in no order. */
  void forEach(Consumer<? super CachedObject<T>> action) {
    @Nullable Object[] array = slots;
    for (int i = 0; i < array.length; i++) {
      Object slot = SLOT.getAcquire(array, i);
      if (slot instanceof CachedObject<?>) {
        action.accept(state(slot));
      }
    }
  }

  /** Writer only: puts a state in place of the one under its key, and returns that. */
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

  /** Writer only: removes the state under a key and returns it. */
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

  /** Publishes an array of a size for so many states, with those there are and perhaps one more. */
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

  /** The slot that a key has, or else the one that it would get. */
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

  /** The slot that a key gets which is not there yet. */
  private static int emptySlot(ObjectKey key, @Nullable Object[] array) {
    int i = home(key, array.length);
    while (array[i] != null) {
      i = i + 1 == array.length ? 0 : i + 1;
    }
    return i;
  }

  /**
   * Where the search for a key begins. The hash codes of names that count up differ in few places,
   * and runs of slots in use make searches long: so all bits are mixed (the finalizer of murmur3)
   * before the hash is scaled down to the number of slots.
   */
  private static int home(ObjectKey key, int slots) {
    int hash = key.hashCode();
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    hash ^= hash >>> 16;
    return (int) ((Integer.toUnsignedLong(hash) * slots) >>> 32);
  }

  @SuppressWarnings("unchecked") // the states in the slots are those that put took
  private static <T> CachedObject<T> state(Object slot) {
    return (CachedObject<T>) slot;
  }
}
