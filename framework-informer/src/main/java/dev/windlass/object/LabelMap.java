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
 * instead of a hash table, and one instance for equal ones where that is easy to see.
 */
final class LabelMap extends AbstractMap<String, String> {

  /** The last ones made, each at the place of its hash; see {@link StringPool}. */
  private static final @Nullable LabelMap[] POOL = new @Nullable LabelMap[1024];

  /** Key, value, key, value. */
  private final String[] pairs;

  private LabelMap(String[] pairs) {
    this.pairs = pairs;
  }

  /**
   * The map of keys and values that take turns.
   *
   * @param flat used by the caller again
   * @param count how many of its elements belong to the map; of equal keys the last one counts
   */
  static Map<String, String> of(String[] flat, int count) {
    if (count == 0) {
      return Map.of();
    }
    int hash = 1;
    for (int i = 0; i < count; i++) {
      hash = 31 * hash + flat[i].hashCode();
    }
    int place = (hash ^ (hash >>> 16)) & (POOL.length - 1);
    LabelMap known = POOL[place];
    if (known != null && Arrays.equals(known.pairs, 0, known.pairs.length, flat, 0, count)) {
      return known;
    }
    LabelMap added = new LabelMap(withoutDuplicates(flat, count));
    POOL[place] = added;
    return added;
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
