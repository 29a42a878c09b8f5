// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.protobuf;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The fields of Kubernetes's protobuf messages, by message name and field number. */
final class MessageFields {

  /**
   * A field of a message.
   *
   * @param name the name in JSON; empty if the field is a message whose fields JSON inlines
   * @param type the name of the field's message type or scalar type; for a list or a map, the name
   *     of the type of its elements or values
   * @param repeated whether the field is a list
   * @param map whether the field is a map
   * @param omitted whether JSON omits the field if it is empty, 0 or false
   */
  record Field(String name, String type, boolean repeated, boolean map, boolean omitted) {

    static Field parse(String name, String type) {
      boolean omitted = type.endsWith("?");
      boolean repeated = type.startsWith("[]");
      boolean map = type.startsWith("{}");
      int end = omitted ? type.length() - 1 : type.length();
      String plain = type.substring(repeated || map ? 2 : 0, end);
      return new Field(name.equals(".") ? "" : name, plain, repeated, map, omitted);
    }
  }

  private static final Map<String, Map<Integer, Field>> MESSAGES = read();

  private MessageFields() {}

  /** Returns a message's fields, or empty if the message is unknown. */
  static Optional<Map<Integer, Field>> of(String message) {
    return Optional.ofNullable(MESSAGES.get(message));
  }

  private static Map<String, Map<Integer, Field>> read() {
    Map<String, Map<Integer, Field>> messages = new HashMap<>();
    Map<Integer, Field> fields = new HashMap<>();
    try (InputStream table = MessageFields.class.getResourceAsStream("fields.txt");
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(table), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] cells = line.split("\t", -1);
        if (cells.length == 1) {
          fields = new HashMap<>();
          messages.put(line, fields);
        } else {
          fields.put(Integer.valueOf(cells[0]), Field.parse(cells[1], cells[2]));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return messages;
  }
}
