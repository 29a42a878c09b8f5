// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.slf4j.event.KeyValuePair;

/**
 * Formats the key-value pairs of a log line, which are in the line's last column. This class is
 * stateless.
 */
final class JsonFields {

  private static final String CONTROLLER = "controller";

  private JsonFields() {}

  /**
   * Returns a tab, followed by the key-value pairs as one JSON object, such as {@code {"hello":
   * "default/hello-sample"}}. In a reconcile, a line without pairs has the controller's name. The
   * result is empty otherwise.
   */
  static String column(ILoggingEvent event) {
    List<KeyValuePair> pairs =
        new ArrayList<>(Objects.requireNonNullElse(event.getKeyValuePairs(), List.of()));
    String controller = event.getMDCPropertyMap().get(CONTROLLER);
    if (controller != null && pairs.isEmpty()) {
      pairs.add(new KeyValuePair(CONTROLLER, controller));
    }
    return pairs.isEmpty()
        ? ""
        : pairs.stream()
            .map(pair -> JsonString.of(pair.key) + ": " + JsonString.of(String.valueOf(pair.value)))
            .collect(Collectors.joining(", ", "\t{", "}"));
  }
}
