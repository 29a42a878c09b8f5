// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The labels of an object. They are stored in an array instead of a hash table, because an object
 * has few labels. Instances are immutable.
 *
 * <p>Similar objects often have the same labels. A pool therefore stores parsed labels together
 * with their JSON. Objects whose labels have the same JSON usually share one instance.
 */
final class LabelMap extends AbstractMap<String, String> {

  /**
   * The maximum length of the JSON of pooled labels, in bytes. The pool therefore contains at most
   * 1 MiB of JSON.
   */
  private static final int LONGEST = 1024;

  /** Labels and the JSON from which they were read. */
  @SuppressWarnings("ArrayRecordComponent") // never compared or changed
  private record Known(byte[] json, Map<String, String> labels) {}

  /** The most recently parsed labels. The hash of the JSON determines the slot of an entry. */
  private static final @Nullable Known[] POOL = new @Nullable Known[1024];

  /** The labels, as alternating keys and values. */
  private final String[] pairs;

  private LabelMap(String[] pairs) {
    this.pairs = pairs;
  }

  /** Returns the labels for the given JSON if the pool contains them, or null otherwise. */
  static @Nullable Map<String, String> known(byte[] buffer, int from, int to) {
    Known known = POOL[place(buffer, from, to)];
    return known != null && Arrays.equals(known.json, 0, known.json.length, buffer, from, to)
        ? known.labels
        : null;
  }

  /** Adds labels to the pool, unless their JSON is longer than {@link #LONGEST}. */
  static void remember(byte[] buffer, int from, int to, Map<String, String> labels) {
    if (to - from <= LONGEST) {
      byte[] json = Arrays.copyOfRange(buffer, from, to);
      POOL[place(buffer, from, to)] = new Known(json, labels);
    }
  }

  private static int place(byte[] buffer, int from, int to) {
    int hash = 1;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + buffer[i];
    }
    return (hash ^ (hash >>> 16)) & (POOL.length - 1);
  }

  /**
   * Creates a map from alternating keys and values. If a key occurs more than once, its last value
   * is used.
   *
   * @param flat an array that contains the keys and values; its content is copied
   * @param count the number of array elements to read
   */
  static Map<String, String> of(String[] flat, int count) {
    return count == 0 ? Map.of() : new LabelMap(withoutDuplicates(flat, count));
  }

  private static String[] withoutDuplicates(String[] flat, int flatCount) {
    String[] pairs = new String[flatCount];
    int count = 0;
    for (int i = 0; i < flatCount; i += 2) {
      int found = 0;
      while (found < count && !pairs[found].equals(flat[i])) {
        found += 2;
      }
      pairs[found] = flat[i];
      pairs[found + 1] = flat[i + 1];
      count = Math.max(count, found + 2);
    }
    return count == pairs.length ? pairs : Arrays.copyOf(pairs, count);
  }

  @Override
  public @Nullable String get(@Nullable Object key) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equals(key)) {
        return pairs[i + 1];
      }
    }
    return null;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  @Override
  public int size() {
    return pairs.length / 2;
  }

  @Override
  public Set<Map.Entry<String, String>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<String, String>> iterator() {
        return new Entries();
      }

      @Override
      public int size() {
        return pairs.length / 2;
      }
    };
  }

  private final class Entries implements Iterator<Map.Entry<String, String>> {
    private int next;

    @Override
    public boolean hasNext() {
      return next < pairs.length;
    }

    @Override
    public Map.Entry<String, String> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      next += 2;
      return Map.entry(pairs[next - 2], pairs[next - 1]);
    }
  }
}
