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
 * A hash table of objects, which are indexed by their keys. The table consists of a single array of
 * references. It needs 6 to 8 bytes per object while it grows, and never more than 16. A {@code
 * ConcurrentHashMap} needs 40 bytes per object. (These figures assume references of 4 bytes, as in
 * heaps below 32 GB.) One writer at a time can change the table, and must hold the caller's lock.
 * Any number of readers can use the table at the same time. They do not hold a lock and never
 * block.
 *
 * <p><em>The array.</em> The table uses open addressing with linear probing. The search for a key
 * starts at the slot that the key's hash determines. It continues with the following slots, and
 * after the last slot with the first one, until it finds the key or an empty slot. At most two
 * thirds of the slots are in use, so there is always an empty slot. A slot is empty, or contains an
 * object, or contains only the {@link ObjectKey} of an object that was removed.
 *
 * <p><em>Permanent slots.</em> Within an array, a key always keeps its slot. An update overwrites
 * the object in the slot. A removal leaves the key in the slot, and only an object with the same
 * key can use the slot again. A slot is never emptied or given to another key. Readers can
 * therefore rely on the following:
 *
 * <ul>
 *   <li>A search never misses an existing key, because the slots between the start of the search
 *       and the key's slot remain in use. A key is never missing during an update, because an
 *       update is a single write.
 *   <li>An iteration over the array visits each key at most once. It visits each key that exists
 *       throughout the iteration exactly once.
 * </ul>
 *
 * <p><em>A new array.</em> The writer creates a new array if more than two thirds of the slots
 * would otherwise be in use, including the slots of removed keys. To release memory, it also
 * creates a new array if a removal leaves objects in less than a quarter of the slots. It copies
 * the objects to the new array, which is then half full, publishes the new array, and no longer
 * changes the old one. A reader that still uses the old array sees the content at the time when the
 * new array was published. This time is later than the start of the read. Between two copies, the
 * number of writes is at least a sixth of the number of slots, so a write takes constant time on
 * average. The sizes of arrays are not powers of two. G1 allocates whole regions for a large array,
 * and the array header would then require an additional region.
 *
 * <p><em>Limitation.</em> If many keys have the same hash code, a search for one of them takes time
 * proportional to their number. A {@code ConcurrentHashMap} would store such keys in a sorted tree.
 *
 * <p><em>Memory order.</em> A slot is written with release semantics and read with acquire
 * semantics. A new array is filled before the volatile write that publishes it. A reader that sees
 * an object in one table therefore also sees all earlier writes to other tables by the same writer.
 *
 * @param <T> the Java class of the objects
 */
final class ObjectTable<T> {

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  /**
   * The number of slots in the smallest table: 2. Such a table has room for one object. In an index
   * by owner, most values have only one object.
   */
  private static final int SMALLEST = 2;

  private volatile @Nullable Object[] slots = new Object[SMALLEST];

  /** The number of objects. */
  private volatile int live;

  /** The number of slots that are not empty. Only the writer accesses this field. */
  private int used;

  int size() {
    return live;
  }

  int capacity() {
    return slots.length;
  }

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

  /** Returns all objects. Each key occurs only once. The order is unspecified. */
  List<CachedObject<T>> list() {
    List<CachedObject<T>> found = new ArrayList<>(live);
    forEach(found::add);
    return found;
  }

  /** Calls an action for every object. Each key occurs only once. The order is unspecified. */
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
   * Stores an object and returns the object with the same key that it replaces, or null if there is
   * none. Only the writer may call this method.
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

  /**
   * Removes and returns the object with the given key, or returns null if there is none. Only the
   * writer may call this method.
   */
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
   * Creates a new array, copies the objects to it, and publishes it.
   *
   * @param states the number of objects that the new array contains
   * @param added an additional object for the new array; null if there is none
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

  /**
   * Returns the index of a key's slot. If the key does not have a slot, returns the index of the
   * slot into which to insert it.
   */
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

  /** Returns the index of the empty slot for a key that is not in the array yet. */
  private static int emptySlot(ObjectKey key, @Nullable Object[] array) {
    int i = home(key, array.length);
    while (array[i] != null) {
      i = i + 1 == array.length ? 0 : i + 1;
    }
    return i;
  }

  /**
   * Returns the index of the slot at which the search for a key starts. The hash codes of numbered
   * names differ in only a few bits. Without mixing, such keys would occupy long runs of slots and
   * make searches slow. This method therefore mixes all bits with the finalizer of murmur3, and
   * then scales the hash to the number of slots.
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
