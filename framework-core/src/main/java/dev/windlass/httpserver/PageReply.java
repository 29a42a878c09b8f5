// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import java.util.Map;

/**
 * A page's response. Instances are immutable.
 *
 * @param code the HTTP status code
 * @param contentType the media type of the body, including the charset, which must be UTF-8
 * @param body the complete body
 * @param headers additional headers, which must not include headers that describe the body
 */
public record PageReply(int code, String contentType, String body, Map<String, String> headers) {

  private static final String TEXT = "text/plain; charset=utf-8";

  /** Creates a response that holds an unmodifiable copy of the headers. */
  public PageReply {
    headers = Map.copyOf(headers);
  }

  public static PageReply text(int code, String body) {
    return new PageReply(code, TEXT, body, Map.of());
  }

  public static PageReply of(String contentType, String body) {
    return new PageReply(200, contentType, body, Map.of());
  }

  public PageReply with(String header, String value) {
    Map<String, String> more = new java.util.HashMap<>(headers);
    more.put(header, value);
    return new PageReply(code, contentType, body, more);
  }
}
