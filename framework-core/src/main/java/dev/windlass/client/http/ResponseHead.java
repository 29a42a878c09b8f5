// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.http;

import dev.windlass.logging.OneLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status line and the headers of a response.
 *
 * @param code the status code
 * @param reason the words after the status code, which may be empty
 * @param persistent whether the server keeps the connection open after the response
 * @param headers the values of each header, by its name as the server writes it
 */
record ResponseHead(
    int code, String reason, boolean persistent, Map<String, List<String>> headers) {

  /**
   * Reads the header of a response, and skips those of interim responses (1xx).
   *
   * @throws IOException if the server closes the connection, or does not send a valid header
   */
  static ResponseHead read(Wire wire) throws IOException {
    ResponseHead head;
    do {
      wire.startHead();
      head = of(wire.line(), wire);
      if (head.code == 101) {
        throw new IOException("the server switched to another protocol, which was not requested");
      }
    } while (head.code < 200);
    return head;
  }

  private static ResponseHead of(String status, Wire wire) throws IOException {
    boolean current = status.startsWith("HTTP/1.1 ");
    if (status.length() < 12 || !current && !status.startsWith("HTTP/1.0 ")) {
      throw new IOException(
          "the server does not speak HTTP/1.1; it sent '" + OneLine.of(status, 100) + "'");
    }
    int code = code(status);
    String reason = status.length() > 13 ? status.substring(13) : "";
    Map<String, List<String>> headers = new LinkedHashMap<>();
    String line;
    while (!(line = wire.line()).isEmpty()) {
      int colon = line.indexOf(':');
      if (colon <= 0 || line.charAt(0) == ' ' || line.charAt(colon - 1) == ' ') {
        throw new IOException("the server sent an invalid header '" + OneLine.of(line, 100) + "'");
      }
      headers
          .computeIfAbsent(line.substring(0, colon), name -> new ArrayList<>(1))
          .add(line.substring(colon + 1).strip());
    }
    String connection = String.join(",", values(headers, "Connection"));
    boolean close = connection.toLowerCase(Locale.ROOT).contains("close");
    return new ResponseHead(code, reason, current && !close, headers);
  }

  private static int code(String status) throws IOException {
    int code = 0;
    for (int i = 9; i < 12; i++) {
      int digit = status.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw new IOException(
            "the server sent an invalid status '" + OneLine.of(status, 100) + "'");
      }
      code = code * 10 + digit;
    }
    return code;
  }

  /**
   * Returns the value of a header that must not differ if it is repeated, or null if the header is
   * missing.
   *
   * @throws IOException if the header has several different values
   */
  @Nullable String single(String name) throws IOException {
    List<String> values = values(headers, name);
    if (values.stream().distinct().count() > 1) {
      throw new IOException("the server sent different values of " + name + ": " + values);
    }
    return values.isEmpty() ? null : values.get(0);
  }

  private static List<String> values(Map<String, List<String>> headers, String name) {
    for (Map.Entry<String, List<String>> header : headers.entrySet()) {
      if (header.getKey().equalsIgnoreCase(name)) {
        return header.getValue();
      }
    }
    return List.of();
  }
}
