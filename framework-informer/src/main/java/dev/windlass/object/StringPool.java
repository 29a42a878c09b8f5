// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Hands out one instance for strings that come again and again: namespaces, label keys and values,
 * the kinds and names of owners.
 *
 * <p>A table of fixed size, in which a newcomer takes the place of the string with the same hash.
 * So it can't grow, whatever passes through, and what repeats often is found most of the time.
 *
 * <p>Thread safe without a lock: the strings are immutable, and a place that another thread has
 * overwritten costs one more instance.
 */
final class StringPool {

  /** For the objects of all types: they share namespaces and labels. */
  static final StringPool SHARED = new StringPool(8192);

  /** Longer strings are texts, which do not repeat. */
  private static final int LONGEST = 128;

  private final @Nullable String[] places;

  /**
   * An empty pool.
   *
   * @param size a power of two
   */
  StringPool(int size) {
    places = new @Nullable String[size];
  }

  /** The string that these bytes of UTF-8 are; out of the pool if they are ASCII. */
  String get(byte[] utf8, int offset, int length) {
    if (length == 0) {
      return "";
    }
    if (length > LONGEST) {
      return new String(utf8, offset, length, StandardCharsets.UTF_8);
    }
    int hash = 0;
    int all = 0;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + utf8[i];
      all |= utf8[i];
    }
    if (all < 0) { // a byte of a longer character
      return new String(utf8, offset, length, StandardCharsets.UTF_8);
    }
    int place = (hash ^ (hash >>> 13) ^ (hash >>> 22)) & (places.length - 1);
    String known = places[place];
    if (known != null && isEqual(known, utf8, offset, length)) {
      return known;
    }
    String added = new String(utf8, offset, length, StandardCharsets.ISO_8859_1);
    places[place] = added;
    return added;
  }

  private static boolean isEqual(String known, byte[] ascii, int offset, int length) {
    if (known.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (known.charAt(i) != ascii[offset + i]) {
        return false;
      }
    }
    return true;
  }
}
