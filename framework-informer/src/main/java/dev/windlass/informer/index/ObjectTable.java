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
 * A hash table of object states, indexed by the key that each state contains. The table needs only
 * one array of references: 6 to 8 bytes per object while it grows, and never more than 16. A {@code
 * ConcurrentHashMap} needs 40 bytes per object. (These figures assume references of 4 bytes, as in
 * heaps below 32 GB.) The table supports one writer at a time, which holds the caller's lock, and
 * any number of readers, which do not hold a lock and never wait.
 *
 * <p><em>The array.</em> The table uses open addressing with linear probing. The search for a key
 * starts at the slot that the key's hash determines and continues with the following slots,
 * wrapping around at the end, until it finds the key or an empty slot. At most two thirds of the
 * slots are in use, so there is always an empty slot. A slot contains nothing, a state, or only the
 * {@link ObjectKey} of a state that was removed.
 *
 * <p><em>A key has one slot for the life of an array.</em> An update overwrites the state in place.
 * A removal leaves the key in the slot, and only the same key can use that slot again. A slot is
 * never emptied or given to another key. Readers can therefore rely on the following:
 *
 * <ul>
 *   <li>A search never misses an existing key, because the slots between the start of the search
 *       and the key's slot remain in use. A key is never missing during an update, because an
 *       update is a single write.
 *   <li>An iteration over the array visits each key at most once, and each key that exists
 *       throughout the iteration exactly once.
 * </ul>
 *
 * <p><em>A new array.</em> When the slots in use, including those of removed keys, would exceed two
 * thirds of the array, the writer copies the states to a new array, which is half full after the
 * copy, and publishes it. To release memory, it does the same when a removal leaves states in less
 * than a quarter of the slots. The writer no longer changes the old array. A reader that still uses
 * the old array sees the content at the time when the new array was published. This time is later
 * than the start of the read. Between two copies, the number of writes is at least a sixth of the
 * number of slots, so a write takes constant time on average. Sizes are not powers of two, because
 * G1 allocates whole regions for a large array, and the array header would require an additional
 * region.
 *
 * <p><em>Limitation.</em> If many keys were chosen to have the same hash code, a search for one of
 * them takes time proportional to their number. A {@code ConcurrentHashMap} would store such keys
 * in a sorted tree.
 *
 * <p><em>Memory order.</em> A slot is written with release semantics and read with acquire
 * semantics. A new array is filled before the volatile write that publishes it. A reader that sees
 * a state in one table therefore sees all earlier writes to other tables by the same writer.
 *
 * @param <T> the Java class of the objects
 */
final class ObjectTable<T> {

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  /**
   * The number of slots of the smallest table, which has room for one object. In an index by owner,
   * most values have only one object.
   */
  private static final int SMALLEST = 2;

  private volatile @Nullable Object[] slots = new Object[SMALLEST];

  /** The number of states. */
  private volatile int live;

  /** The number of slots that are not empty. Only the writer accesses this field. */
  private int used;

  int size() {
    return live;
  }

  /** Returns the number of slots. */
  int capacity() {
    return slots.length;
  }

  /** Returns the state with a key, or null if there is none. */
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

  /** Returns all states, each key once. The order is unspecified. */
  List<CachedObject<T>> list() {
    List<CachedObject<T>> found = new ArrayList<>(live);
    forEach(found::add);
    return found;
  }

  /** Calls an action for all states, each key once. The order is unspecified. */
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
   * Stores a state and returns the state with the same key that it replaces, or null if there is
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
   * Removes the state with a key and returns it, or returns null if there is none. Only the writer
   * may call this method.
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
   * Publishes an array sized for the given number of states. It contains the existing states and,
   * if given, the added state.
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

  /** Returns a key's slot. If the key has no slot, returns the slot for its insertion. */
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
   * in only a few bits, and long runs of used slots make searches slow. This method therefore mixes
   * all bits (with the finalizer of murmur3) before it scales the hash down to the number of slots.
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
