// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A hash of the fields of a configuration: of the names in its maps and of the lengths of its
 * lists. It contains no values, because the names of managers, which contain it, appear in audit
 * logs, and a value can be secret. The hash is the same in each process: it does not depend on the
 * order of fields, which Java's maps can change from one process to the next, and it does not
 * include the metadata that the server sets.
 */
final class FieldsHash {

  /** The length of the text of a hash, which consists of hexadecimal digits. */
  static final int DIGITS = 10;

  private FieldsHash() {}

  /** Returns the text of the hash. */
  static String text(Map<?, ?> configuration) {
    StringBuilder fields = new StringBuilder();
    append(fields, AppliedFields.recorded(configuration));
    byte[] digest = AppliedStates.sha256(fields.toString());
    return HexFormat.of().formatHex(Arrays.copyOf(digest, DIGITS / 2));
  }

  /** Returns the number that the text stands for. */
  static long of(Map<?, ?> configuration) {
    return HexFormat.fromHexDigitsToLong(text(configuration));
  }

  /** Appends a value, so that values with different fields have different texts. */
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
