// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import dev.windlass.logging.OneLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The status line and the headers of a response.
 *
 * @param code the status code
 * @param reason the reason phrase, which may be empty
 * @param persistent whether the server keeps the connection open after the response
 * @param headers the values of each header, keyed by its name; lookups ignore case
 */
record ResponseHead(
    int code, String reason, boolean persistent, Map<String, List<String>> headers) {

  /**
   * Reads the status line and the headers of a response. Skips interim responses (1xx).
   *
   * @throws IOException if the server closes the connection or sends an invalid header
   */
  static ResponseHead read(Wire wire) throws IOException {
    wire.startHead(); // the limit includes interim responses, which could be endless otherwise
    ResponseHead head;
    do {
      head = of(wire.line(), wire);
      if (head.code == 101) {
        throw new IOException("the server switched to another protocol, which was not requested");
      }
    } while (head.code < 200);
    return head;
  }

  private static ResponseHead of(String status, Wire wire) throws IOException {
    boolean current = status.startsWith("HTTP/1.1 ");
    if (!current && !status.startsWith("HTTP/1.0 ")) {
      throw new IOException(
          "the server does not speak HTTP/1.1; it sent '" + OneLine.of(status, 100) + "'");
    }
    int code = code(status);
    String reason = status.length() > 13 ? status.substring(13) : "";
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = wire.line(); !line.isEmpty(); line = wire.line()) {
      String name = name(line);
      List<String> values = headers.get(name);
      if (values == null) {
        values = new ArrayList<>(1);
        headers.put(name, values);
      }
      values.add(line.substring(name.length() + 1).strip());
    }
    return new ResponseHead(code, reason, current && !closes(headers.get("Connection")), headers);
  }

  private static int code(String status) throws IOException {
    int code = 0;
    for (int i = 9; i < 12 && i < status.length(); i++) {
      int digit = status.charAt(i) - '0';
      code = digit < 0 || digit > 9 ? -1000 : code * 10 + digit;
    }
    if (code < 100 || (status.length() > 12 && status.charAt(12) != ' ')) {
      throw new IOException("the server sent an invalid status '" + OneLine.of(status, 100) + "'");
    }
    return code;
  }

  /**
   * Extracts the header name from a line. Rejects names that contain a space, because other
   * software could ignore such a header.
   */
  private static String name(String line) throws IOException {
    int colon = 0;
    while (colon < line.length() && line.charAt(colon) > ' ' && line.charAt(colon) != ':') {
      colon++;
    }
    if (colon == 0 || colon == line.length() || line.charAt(colon) != ':') {
      throw new IOException("the server sent an invalid header '" + OneLine.of(line, 100) + "'");
    }
    return line.substring(0, colon);
  }

  private static boolean closes(@Nullable List<String> options) {
    if (options != null) {
      for (String option : options) {
        if (option.toLowerCase(Locale.ROOT).contains("close")) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns the value of a header, or null if the header is missing. If the header is repeated, its
   * values must be equal.
   *
   * @throws IOException if the header has different values
   */
  @Nullable String single(String name) throws IOException {
    List<String> values = headers.get(name);
    if (values == null) {
      return null;
    }
    String first = values.get(0);
    for (String value : values) {
      if (!value.equals(first)) {
        throw new IOException(
            "the server sent different values of "
                + name
                + ": "
                + OneLine.of(values.toString(), 100));
      }
    }
    return first;
  }
}
