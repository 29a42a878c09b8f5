// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A pool of strings that occur repeatedly: namespaces, label keys and values, and the kinds and
 * names of owners.
 *
 * <p>The pool is a hash table with a fixed number of slots. A new string replaces the previous
 * string in its slot. The size of the pool is therefore bounded, and frequent strings are usually
 * found.
 *
 * <p>The pool is thread-safe without a lock, because strings are immutable. If several threads
 * write to the same slot at the same time, the only effect is that more instances are created.
 */
final class StringPool {

  /**
   * The pool for objects of all types, because objects of different types often contain the same
   * strings.
   */
  static final StringPool SHARED = new StringPool(8192);

  /** The maximum length of a pooled string. Longer strings are rarely repeated. */
  private static final int LONGEST = 128;

  private final @Nullable String[] places;

  StringPool(int size) {
    places = new @Nullable String[size];
  }

  /**
   * Returns the string that the given UTF-8 bytes encode. Only ASCII strings of at most {@link
   * #LONGEST} characters are pooled.
   */
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
    if (all < 0) { // part of a multi-byte character
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
