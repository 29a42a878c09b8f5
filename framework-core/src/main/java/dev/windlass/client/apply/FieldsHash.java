// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Computes a hash of the fields in a configuration, from the names of the fields and the lengths of
 * the lists. The hash does not depend on values, because it is part of the names of field managers.
 * These names appear in audit logs, and a value can be confidential.
 *
 * <p>The hash is the same in every process. It does not depend on the order of the fields, which
 * can differ between processes. It excludes the fields that {@code managedFields} never contains,
 * such as the name and the uid.
 */
final class FieldsHash {

  /** The number of hexadecimal digits of a hash. */
  static final int DIGITS = 10;

  private FieldsHash() {}

  /** Returns the hash as a string of hexadecimal digits. */
  static String text(Map<?, ?> configuration) {
    StringBuilder fields = new StringBuilder();
    append(fields, AppliedFields.recorded(configuration));
    byte[] digest = ApplyCache.sha256(fields.toString());
    return HexFormat.of().formatHex(Arrays.copyOf(digest, DIGITS / 2));
  }

  /** Returns the hash as a number. {@link #text} returns the hexadecimal digits of this number. */
  static long of(Map<?, ?> configuration) {
    return HexFormat.fromHexDigitsToLong(text(configuration));
  }

  /**
   * Appends the structure of a value, without the value itself. The appended text differs if the
   * fields differ.
   */
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
