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
 * The labels of an object: few, often the same as those of its siblings, never changed. One array
 * instead of a hash table, and one instance for those that come as the same JSON, which are then
 * not parsed again either.
 */
final class LabelMap extends AbstractMap<String, String> {

  /** Longer JSON is not remembered: 1,024 bytes, so that the pool has a mebibyte of it at most. */
  private static final int LONGEST = 1024;

  /** Labels and what they were read from. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a record, nor changed
  private record Known(byte[] json, Map<String, String> labels) {}

  /** The last ones read, each at the place of its hash; see {@link StringPool}. */
  private static final @Nullable Known[] POOL = new @Nullable Known[1024];

  /** Key, value, key, value. */
  private final String[] pairs;

  private LabelMap(String[] pairs) {
    this.pairs = pairs;
  }

  /** The labels that were read from the same JSON before; null if they have to be read now. */
  static @Nullable Map<String, String> known(byte[] buffer, int from, int to) {
    Known known = POOL[place(buffer, from, to)];
    return known != null && Arrays.equals(known.json, 0, known.json.length, buffer, from, to)
        ? known.labels
        : null;
  }

  /** Keeps labels for others that come as the same JSON. */
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
   * The map of keys and values that take turns.
   *
   * @param flat used by the caller again
   * @param count how many of its elements belong to the map; of equal keys the last one counts
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
