// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.windlass.controller.Controller;
import dev.windlass.testsupport.Logs;
import java.util.List;
import java.util.stream.Collectors;

/** What the operator, and its controller about reconciles, log about one namespace. */
final class HelloLines implements AutoCloseable {

  private static final String[] LOGGERS = {
    "controllers.Hello", "dev.windlass.controller.Controller"
  };

  private final Logs said = Logs.by(Level.DEBUG, "controllers.Hello", Controller.class.getName());

  static HelloLines record() {
    return new HelloLines();
  }

  /** All columns but the time, of lines that name a Hello; with blanks between them. */
  List<String> ofReconciles() {
    return said.events().stream()
        .filter(event -> event.getKeyValuePairs() != null)
        .filter(event -> !event.getLevel().equals(Level.ERROR))
        .filter(event -> !event.getMessage().endsWith(" workers"))
        .map(HelloLines::columns)
        .toList();
  }

  /** The message of each error. */
  List<String> errors() {
    return said.messages(Level.ERROR);
  }

  /** How many of the lines have this message, and the field. */
  long count(String message, String field) {
    return ofReconciles().stream()
        .filter(line -> line.contains(" " + message + " {") && line.contains(field))
        .count();
  }

  private static String columns(ILoggingEvent event) {
    return event.getLevel()
        + " "
        + event.getLoggerName()
        + " "
        + event.getFormattedMessage()
        + fields(event);
  }

  /** The last column, as the log of the operator shows it. */
  private static String fields(ILoggingEvent event) {
    return event.getKeyValuePairs().stream()
        .map(pair -> "\"" + pair.key + "\": \"" + pair.value + "\"")
        .collect(Collectors.joining(", ", " {", "}"));
  }

  @Override
  public void close() {
    said.close();
  }
}
