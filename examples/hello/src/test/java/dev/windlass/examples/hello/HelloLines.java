// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.windlass.controller.Controller;
import dev.windlass.examples.cli.JsonFields;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the operator, and its controller about reconciles, log about one namespace. */
final class HelloLines implements AutoCloseable {

  private static final List<String> LOGGERS =
      List.of("controllers.Hello", Controller.class.getName());

  private static final JsonFields FIELDS = new JsonFields();

  private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          events.add(event);
        }
      };

  private HelloLines() {
    appender.start();
    LOGGERS.forEach(name -> logger(name).addAppender(appender));
    LOGGERS.forEach(name -> logger(name).setLevel(Level.DEBUG));
  }

  static HelloLines record() {
    return new HelloLines();
  }

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }

  /** All columns but the time, of lines that name a Hello; with blanks between them. */
  List<String> ofReconciles() {
    return events.stream()
        .filter(event -> event.getKeyValuePairs() != null)
        .filter(event -> !event.getLevel().equals(Level.ERROR))
        .map(HelloLines::columns)
        .toList();
  }

  /** The message of each error. */
  List<String> errors() {
    return events.stream()
        .filter(event -> event.getLevel().equals(Level.ERROR))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  /** What the controller says of runs that were in vain, conflicts included. */
  List<String> failedRuns() {
    return events.stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(message -> message.contains(" syncing '"))
        .toList();
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
        + FIELDS.convert(event).replace('\t', ' ');
  }

  /** When the lines with this message were written: milliseconds of the wall clock. */
  List<Long> times(String message) {
    return events.stream()
        .filter(event -> event.getFormattedMessage().equals(message))
        .map(ILoggingEvent::getTimeStamp)
        .toList();
  }

  @Override
  public void close() {
    LOGGERS.forEach(name -> logger(name).detachAppender(appender));
  }
}
