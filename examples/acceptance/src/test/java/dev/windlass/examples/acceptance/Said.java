// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.acceptance;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** What some loggers say; messages and fields, not how they are printed. */
final class Said implements AutoCloseable {

  /** The logger of all controllers. */
  static final String CONTROLLER = "dev.windlass.controller.Controller";

  private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
  private final List<Logger> loggers;
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          event.prepareForDeferredProcessing();
          events.add(event);
        }
      };

  private Said(List<Logger> loggers) {
    this.loggers = loggers;
    appender.start();
    loggers.forEach(logger -> logger.addAppender(appender));
  }

  /** Listens from now on, at the levels of {@code logback-test.xml}. */
  static Said by(String... loggers) {
    return new Said(Stream.of(loggers).map(n -> (Logger) LoggerFactory.getLogger(n)).toList());
  }

  /** The messages, in their order. */
  List<String> messages() {
    return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** Those lines that have a field. */
  List<String> messagesWithFields() {
    return events.stream()
        .filter(event -> event.getKeyValuePairs() != null)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  /** What a field says, in all lines that have it. */
  List<String> field(String name) {
    return events.stream()
        .filter(event -> event.getKeyValuePairs() != null)
        .flatMap(event -> event.getKeyValuePairs().stream())
        .filter(pair -> pair.key.equals(name))
        .map(Said::text)
        .toList();
  }

  private static String text(KeyValuePair pair) {
    return String.valueOf(pair.value);
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
    loggers.forEach(logger -> logger.detachAppender(appender));
  }
}
