// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.windlass.controller.Controller;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What some loggers log until this is closed; messages and fields, not how they are printed. */
public final class Said implements AutoCloseable {

  /** The logger of all controllers. */
  public static final String CONTROLLER = Controller.class.getName();

  private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
  private final List<Logger> loggers;
  private final List<@Nullable Level> levelsBefore = new ArrayList<>();
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
    loggers.forEach(logger -> levelsBefore.add(logger.getLevel()));
    appender.start();
    loggers.forEach(logger -> logger.addAppender(appender));
  }

  /** Listens from now on, at the levels that the loggers have. */
  public static Said by(String... loggers) {
    return new Said(Stream.of(loggers).map(n -> (Logger) LoggerFactory.getLogger(n)).toList());
  }

  /** The same from a level on. */
  public static Said by(Level level, String... loggers) {
    Said said = by(loggers);
    said.loggers.forEach(logger -> logger.setLevel(level));
    return said;
  }

  public List<ILoggingEvent> events() {
    return List.copyOf(events);
  }

  private List<String> messages(Predicate<ILoggingEvent> which) {
    return events.stream().filter(which).map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** The messages, in their order. */
  public List<String> messages() {
    return messages(event -> true);
  }

  /** Those of one level. */
  public List<String> messages(Level level) {
    return messages(event -> event.getLevel().equals(level));
  }

  /** Those of lines that have fields. */
  public List<String> messagesWithFields() {
    return messages(event -> event.getKeyValuePairs() != null);
  }

  /** The values of a field, in all lines that have it. */
  public List<String> field(String name) {
    return events.stream()
        .filter(event -> event.getKeyValuePairs() != null)
        .flatMap(event -> event.getKeyValuePairs().stream())
        .filter(pair -> pair.key.equals(name))
        .map(pair -> String.valueOf(pair.value))
        .toList();
  }

  /** When the lines with this message were written: milliseconds of the wall clock. */
  public List<Long> times(String message) {
    return events.stream()
        .filter(event -> event.getFormattedMessage().equals(message))
        .map(ILoggingEvent::getTimeStamp)
        .toList();
  }

  @Override
  public void close() {
    for (int i = 0; i < loggers.size(); i++) {
      loggers.get(i).detachAppender(appender);
      loggers.get(i).setLevel(levelsBefore.get(i));
    }
  }
}
