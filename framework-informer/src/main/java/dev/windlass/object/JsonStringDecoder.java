// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Decodes a JSON string from the bytes between its quotes. */
final class JsonStringDecoder {

  private JsonStringDecoder() {}

  /**
   * Returns the decoded string.
   *
   * @throws MalformedObjectException if the bytes contain an invalid escape
   */
  static String of(byte[] bytes, int from, int to) {
    String raw = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    if (raw.indexOf('\\') < 0) {
      return raw;
    }
    StringBuilder text = new StringBuilder(raw.length());
    int i = 0;
    while (i < raw.length()) {
      char c = raw.charAt(i++);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      char escaped = raw.charAt(i++);
      switch (escaped) {
        case 'b' -> text.append('\b');
        case 'f' -> text.append('\f');
        case 'n' -> text.append('\n');
        case 'r' -> text.append('\r');
        case 't' -> text.append('\t');
        case 'u' -> {
          text.append(hex(raw, i));
          i += 4;
        }
        case '"', '\\', '/' -> text.append(escaped);
        default -> throw JsonCursor.malformed("an unknown escape in a string");
      }
    }
    return text.toString();
  }

  private static char hex(String raw, int from) {
    try {
      return (char) HexFormat.fromHexDigits(raw, from, from + 4); // ASCII digits without a sign
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw JsonCursor.malformed("an unknown escape in a string");
    }
  }
}
