// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A hash of a configuration's fields, computed from the names in its maps and the lengths of its
 * lists. The hash does not depend on values, because the names of managers, which contain the hash,
 * appear in audit logs, and a value can be secret. The hash is the same in each process: it does
 * not depend on the order of fields, which Java's maps can change from one process to the next, and
 * it does not include the metadata that the server sets.
 */
final class FieldsHash {

  /** The number of hexadecimal digits in the string form of a hash. */
  static final int DIGITS = 10;

  private FieldsHash() {}

  /** Returns the hash as a string of hexadecimal digits. */
  static String text(Map<?, ?> configuration) {
    StringBuilder fields = new StringBuilder();
    append(fields, AppliedFields.recorded(configuration));
    byte[] digest = ApplyCache.sha256(fields.toString());
    return HexFormat.of().formatHex(Arrays.copyOf(digest, DIGITS / 2));
  }

  /** Returns the hash as a number, whose hexadecimal digits {@link #text} returns. */
  static long of(Map<?, ?> configuration) {
    return HexFormat.fromHexDigitsToLong(text(configuration));
  }

  /** Appends a text that differs for values with different fields. */
  private static void append(StringBuilder text, @Nullable Object value) {
    if (value instanceof Map<?, ?> fields) {
      text.append('{');
      for (Object name : new TreeSet<>(fields.keySet())) {
        text.append(name.toString().length()).append(':').append(name);
        append(text, fields.get(name));
      }
      text.append('}');
    } else if (value instanceof List<?> elements) {
      text.append('[');
      elements.forEach(element -> append(text, element));
      text.append(']');
    } else {
      text.append('.');
    }
  }
}
