// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

/**
 * Estimates the memory that a JSON text requires as a tree, from its structure. A tree requires 1
 * to 40 times the bytes of its text. The factor is low for long strings, and high for small objects
 * and lists.
 *
 * <p>The costs are those of Jackson's nodes in a 64-bit JVM with compressed pointers, rounded up.
 * {@code JsonWeightTest} compares the estimate with the memory that a parser allocates.
 */
final class JsonWeight {

  /** The bytes of an empty {@code ObjectNode} with its {@code LinkedHashMap}. */
  private static final int EMPTY_OBJECT = 80;

  /** The bytes of an {@code ObjectNode} with the table of its map. */
  private static final int OBJECT = 160;

  /** The bytes of an empty {@code ArrayNode} with its {@code ArrayList}. */
  private static final int EMPTY_ARRAY = 48;

  /** The bytes of an {@code ArrayNode} with the first ten slots of its list. */
  private static final int ARRAY = 104;

  /** The bytes of the entry of a field in a map. */
  private static final int FIELD = 40;

  /** The bytes of a number, including its slot in a list that has grown. */
  private static final int ELEMENT = 32;

  /** The bytes of a {@code TextNode} with an empty string. */
  private static final int STRING = 64;

  private JsonWeight() {}

  /** Returns the estimate in bytes. The text does not have to be valid JSON. */
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

  /** Returns the position of the quotation mark that ends the string, or the last position. */
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
