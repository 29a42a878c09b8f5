// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Derives field owners that every API server accepts from names of any length. */
public final class FieldOwners {

  /**
   * The maximum number of bytes that the API server accepts (Kubernetes {@code
   * FieldManagerMaxLength}).
   */
  static final int LONGEST = 128;

  private FieldOwners() {}

  /**
   * Returns whether the API server accepts a field owner: 1 to 128 bytes of UTF-8, all of it
   * printable.
   */
  public static boolean isValid(String owner) {
    return !owner.isEmpty()
        && owner.getBytes(StandardCharsets.UTF_8).length <= LONGEST
        && owner.codePoints().allMatch(FieldOwners::isPrintable);
  }

  /**
   * Returns the name itself if the API server accepts it; otherwise its beginning and a hash of the
   * whole name, so that names with the same beginning stay different.
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

  /** Matches Go's {@code unicode.IsPrint}: letters, marks, numbers, punctuation, symbols, space. */
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
