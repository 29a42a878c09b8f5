// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Pools the {@code fieldsV1} strings of one field manager. All objects of a manager usually have
 * the same fields, apart from the uids of their owners. The pool omits these uids, so it needs only
 * a few strings for any number of objects.
 *
 * <p>The size of the pool is limited. A full pool does not store further strings. For each object
 * whose string is not stored, each process sends one unnecessary apply request. This class is
 * thread-safe.
 */
final class FieldsV1Pool {

  /** The maximum number of strings. */
  static final int MOST = 1_024;

  /**
   * The maximum length of a string in bytes. Together with {@link #MOST}, it limits the pool to 4
   * MiB.
   */
  static final int LONGEST = 4_096;

  /** The beginning of the JSON name of a list element that is identified by its uid. */
  private static final String BY_UID = "\"k:{\\\"uid\\\":\\\"";

  private final Map<String, String> texts = new ConcurrentHashMap<>();

  /**
   * Returns the shared string for the fields in the given buffer, or null if the pool does not
   * store a string for these fields.
   */
  @Nullable String of(String apiVersion, byte[] buffer, int from, int to) {
    if (to - from > LONGEST) {
      return null;
    }
    String fields = new String(buffer, from, to - from, StandardCharsets.UTF_8);
    String text = apiVersion + "\n" + withoutUids(fields);
    String known = texts.get(text);
    if (known == null && texts.size() < MOST) { // several threads can exceed the limit slightly
      known = texts.putIfAbsent(text, text);
      return known == null ? text : known;
    }
    return known;
  }

  private static String withoutUids(String fields) {
    int at = fields.indexOf(BY_UID);
    if (at < 0) {
      return fields;
    }
    StringBuilder without = new StringBuilder(fields.length());
    int copied = 0;
    while (at >= 0) {
      int uid = at + BY_UID.length();
      int end = fields.indexOf('\\', uid);
      if (end < 0) {
        break;
      }
      without.append(fields, copied, uid);
      copied = end;
      at = fields.indexOf(BY_UID, end);
    }
    return without.append(fields, copied, fields.length()).toString();
  }
}
