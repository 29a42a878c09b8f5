// SPDX-License-Identifier: Apache-2.0
package dev.windlass.http;

import java.util.Map;

/**
 * What a page answers. Immutable.
 *
 * @param code of HTTP
 * @param contentType with its charset, which must be UTF-8
 * @param body in full
 * @param headers others than those of the body
 */
public record PageReply(int code, String contentType, String body, Map<String, String> headers) {

  private static final String TEXT = "text/plain; charset=utf-8";

  /** Takes copies. */
  public PageReply {
    headers = Map.copyOf(headers);
  }

  /** A plain text. */
  public static PageReply text(int code, String body) {
    return new PageReply(code, TEXT, body, Map.of());
  }

  /** A text of another type. */
  public static PageReply of(String contentType, String body) {
    return new PageReply(200, contentType, body, Map.of());
  }

  /** The same with one more header. */
  public PageReply with(String header, String value) {
    Map<String, String> more = new java.util.HashMap<>(headers);
    more.put(header, value);
    return new PageReply(code, contentType, body, more);
  }
}
