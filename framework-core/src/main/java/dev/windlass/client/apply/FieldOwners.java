// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import dev.windlass.logging.OneLine;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Converts arbitrary names to field owners that every API server accepts. */
public final class FieldOwners {

  /** The maximum length of a field owner in bytes (Kubernetes {@code FieldManagerMaxLength}). */
  static final int LONGEST = 128;

  private FieldOwners() {}

  /**
   * Returns whether the API server accepts the given name as a field owner. A valid field owner
   * consists of 1 to 128 bytes of printable UTF-8.
   */
  public static boolean isValid(String owner) {
    return !owner.isEmpty()
        && owner.getBytes(StandardCharsets.UTF_8).length <= LONGEST
        && owner.codePoints().allMatch(FieldOwners::isPrintable);
  }

  /** Throws an {@link IllegalArgumentException} if the API server does not accept the name. */
  public static void requireValid(String owner) {
    if (!isValid(owner)) {
      throw new IllegalArgumentException(
          "the field owner '" + OneLine.of(owner) + "' must be 1 to 128 bytes of printable text");
    }
  }

  /**
   * Converts a name to a field owner. Returns the name itself if the API server accepts it.
   * Otherwise, returns the beginning of the name and a hash of the whole name. The hash
   * distinguishes names with the same beginning. Unprintable characters are replaced with
   * underscores.
   */
  public static String of(String name) {
    if (isValid(name)) {
      return name;
    }
    String hash =
        UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString().replace("-", "");
    int room = LONGEST - hash.length() - 1;
    StringBuilder start = new StringBuilder();
    int bytes = 0;
    for (int character : name.codePoints().toArray()) {
      int safe = isPrintable(character) ? character : '_';
      bytes += Character.toString(safe).getBytes(StandardCharsets.UTF_8).length;
      if (bytes > room) {
        break;
      }
      start.appendCodePoint(safe);
    }
    return start.append('-').append(hash).toString();
  }

  /**
   * Returns whether a character is printable. As in Go's {@code unicode.IsPrint}, these are
   * letters, marks, numbers, punctuation, symbols and the space.
   */
  private static boolean isPrintable(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> character == ' ';
      default -> true;
    };
  }
}
