// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import org.jspecify.annotations.Nullable;

/**
 * The entries by their keys: a hash table that chains the entries themselves. Compared with a
 * {@link java.util.HashMap}, it saves the node per key, and a known entry is removed without
 * touching its key.
 *
 * <p>Keys with equal hash codes share a chain, which is searched linearly. Not thread safe.
 */
final class EntryTable<T> {

  private static final int SMALLEST = 64;

  /** The smallest capacity whose memory is released when no entry is left. */
  private static final int LARGE = 4_096;

  private @Nullable Entry<T>[] slots = newSlots(SMALLEST);
  private int size;

  /** Returns the entry of the key, and adds one if there was none. */
  Entry<T> getOrAdd(T key) {
    int hash = spread(key.hashCode());
    int slot = hash & (slots.length - 1);
    Entry<T> first = slots[slot];
    for (Entry<T> entry = first; entry != null; entry = entry.chained) {
      if (entry.hash == hash && (entry.key == key || entry.key.equals(key))) {
        return entry;
      }
    }
    Entry<T> entry = new Entry<>(key, hash);
    entry.chained = first;
    slots[slot] = entry;
    if (++size > slots.length) {
      grow();
    }
    return entry;
  }

  /** Removes an entry that is in the table. */
  void remove(Entry<T> entry) {
    int slot = entry.hash & (slots.length - 1);
    Entry<T> before = null;
    for (Entry<T> e = slots[slot]; e != entry && e != null; e = e.chained) {
      before = e;
    }
    if (before == null) {
      slots[slot] = entry.chained;
    } else {
      before.chained = entry.chained;
    }
    entry.chained = null;
    if (--size == 0 && slots.length >= LARGE) {
      slots = newSlots(SMALLEST);
    }
  }

  int size() {
    return size;
  }

  private void grow() {
    @Nullable Entry<T>[] larger = newSlots(2 * slots.length);
    for (Entry<T> first : slots) {
      for (Entry<T> entry = first; entry != null; ) {
        Entry<T> next = entry.chained;
        int slot = entry.hash & (larger.length - 1);
        entry.chained = larger[slot];
        larger[slot] = entry;
        entry = next;
      }
    }
    slots = larger;
  }

  /** Mixes the upper half of a hash code into the lower half, which small tables use. */
  private static int spread(int hash) {
    return hash ^ (hash >>> 16);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // generic arrays can't be created
  private static <T> @Nullable Entry<T>[] newSlots(int length) {
    return (Entry<T>[]) new Entry[length];
  }
}
