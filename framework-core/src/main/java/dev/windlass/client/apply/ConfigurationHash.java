// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A hash of a configuration that is the same in each process: it does not depend on the order of
 * fields, which maps of Java can change from one process to the next, and it does not include the
 * metadata that the server sets.
 */
final class ConfigurationHash {

  /** The length of the text of a hash, which consists of hexadecimal digits. */
  static final int DIGITS = 10;

  private static final int BYTES = DIGITS / 2;

  private ConfigurationHash() {}

  /** Returns the text of the hash. */
  static String text(Map<?, ?> configuration) {
    return String.format("%0" + DIGITS + "x", of(configuration));
  }

  /** Returns the hash, which is not negative. */
  static long of(Map<?, ?> configuration) {
    StringBuilder text = new StringBuilder();
    append(text, AppliedFields.recorded(configuration));
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(text.toString().getBytes(StandardCharsets.UTF_8));
      return new BigInteger(1, Arrays.copyOf(digest, BYTES)).longValueExact();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM provides SHA-256", e);
    }
  }

  /** Appends a value, such that different values have different texts. */
  private static void append(StringBuilder text, @Nullable Object value) {
    if (value instanceof Map<?, ?> fields) {
      text.append('{');
      for (Object name : new TreeSet<>(fields.keySet())) {
        append(text, name);
        append(text, fields.get(name));
      }
      text.append('}');
    } else if (value instanceof List<?> elements) {
      text.append('[');
      elements.forEach(element -> append(text, element));
      text.append(']');
    } else if (value instanceof String string) {
      text.append(string.length()).append('"').append(string);
    } else {
      text.append(value).append(',');
    }
  }
}
