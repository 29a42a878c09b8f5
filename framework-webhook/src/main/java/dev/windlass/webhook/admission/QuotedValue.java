// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

import io.fabric8.kubernetes.client.utils.Serialization;
import org.jspecify.annotations.Nullable;

/**
 * Formats values for error messages in the same way as Kubernetes does in {@code
 * field.Error.ErrorBody}. Strings are quoted, numbers and Booleans are unchanged, and all other
 * values are formatted as JSON.
 */
final class QuotedValue {

  /** The smallest number for which Go uses exponential notation. */
  private static final double LARGE = 1e21;

  private QuotedValue() {}

  static String of(@Nullable Object value) {
    if (value instanceof CharSequence || value instanceof Character || value instanceof Enum<?>) {
      return quoted(value.toString());
    }
    if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      boolean isWhole = number == Math.rint(number) && Math.abs(number) < LARGE;
      return isWhole ? String.format("%.0f", number) : value.toString();
    }
    return value == null || value instanceof Number || value instanceof Boolean
        ? String.valueOf(value)
        : Serialization.asJson(value);
  }

  /** Returns a quoted string in the format of Go's verb {@code %q}. */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            character -> {
              switch (character) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                  if (Character.isISOControl(character)) {
                    quoted.append(String.format("\\x%02x", character));
                  } else {
                    quoted.appendCodePoint(character);
                  }
                }
              }
            });
    return quoted.append('"').toString();
  }
}
