// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

/**
 * Estimates the memory that the tree of a JSON text requires, based on the structure of the text. A
 * tree requires 1 to 40 times as many bytes as its text. The factor is low for long strings, and
 * high for small objects and lists.
 *
 * <p>The constants are the sizes of Jackson's nodes in a 64-bit JVM with compressed pointers,
 * rounded up. {@code JsonWeightTest} compares the estimate with the memory that a parser allocates.
 */
final class JsonWeight {

  /** The size in bytes of an empty {@code ObjectNode} with its {@code LinkedHashMap}. */
  private static final int EMPTY_OBJECT = 80;

  /** The size in bytes of an {@code ObjectNode} with the table of its map. */
  private static final int OBJECT = 160;

  /** The size in bytes of an empty {@code ArrayNode} with its {@code ArrayList}. */
  private static final int EMPTY_ARRAY = 48;

  /** The size in bytes of an {@code ArrayNode} with the first ten slots of its list. */
  private static final int ARRAY = 104;

  /** The size in bytes of a map entry for a field. */
  private static final int FIELD = 40;

  /** The size in bytes of a number node and its slot in a list that has been enlarged. */
  private static final int ELEMENT = 32;

  /** The size in bytes of a {@code TextNode} with an empty string. */
  private static final int STRING = 64;

  private JsonWeight() {}

  /** Returns the estimated size of the tree in bytes. The text does not have to be valid JSON. */
  static long of(byte[] json) {
    long weight = json.length;
    for (int i = 0; i < json.length; i++) {
      switch (json[i]) {
        case '"' -> {
          weight += STRING;
          i = endOfString(json, i);
        }
        case '{' -> weight += isFollowedBy(json, i, '}') ? EMPTY_OBJECT : OBJECT;
        case '[' -> weight += isFollowedBy(json, i, ']') ? EMPTY_ARRAY : ARRAY;
        case ':' -> weight += FIELD;
        case ',' -> weight += ELEMENT;
        default -> {
          // part of a number or a word, whose cost the element or field before it includes
        }
      }
    }
    return weight;
  }

  private static boolean isFollowedBy(byte[] json, int at, char end) {
    return at + 1 < json.length && json[at + 1] == end;
  }

  /**
   * Returns the position of the closing quotation mark of a string, or the last position of the
   * text if there is none.
   */
  private static int endOfString(byte[] json, int begin) {
    for (int i = begin + 1; i < json.length; i++) {
      if (json[i] == '\\') {
        i++;
      } else if (json[i] == '"') {
        return i;
      }
    }
    return json.length - 1;
  }
}
