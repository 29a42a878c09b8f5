// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.event.KeyValuePair;

/**
 * The last column of a log line: a tab and the line's key-value pairs as one JSON object, such as
 * {@code {"hello": "default/hello-sample"}}. The column is empty if the line has no pairs. This
 * class is stateless.
 */
public final class JsonFields extends ClassicConverter {

  /** Creates a converter. Logback calls this constructor by reflection. */
  public JsonFields() {}

  @Override
  public String convert(ILoggingEvent event) {
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    return pairs == null || pairs.isEmpty()
        ? ""
        : pairs.stream()
            .map(pair -> JsonString.of(pair.key) + ": " + JsonString.of(String.valueOf(pair.value)))
            .collect(Collectors.joining(", ", "\t{", "}"));
  }
}
