// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testsupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What a class, or some loggers, log until this is closed; from any thread. */
public final class Logs implements AutoCloseable {

  /** A logger, and the level to which it returns. */
  private record Recorded(Logger logger, @Nullable Level before) {}

  private final List<Recorded> loggers;
  private final boolean fails;
  private final ConcurrentLinkedQueue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          event.prepareForDeferredProcessing();
          events.add(event);
          if (fails) {
            throw new StackOverflowError("no stack for a line");
          }
        }
      };

  private Logs(Level level, boolean fails, String... names) {
    this.fails = fails;
    appender.start();
    loggers =
        Stream.of(names)
            .map(name -> (Logger) LoggerFactory.getLogger(name))
            .map(logger -> new Recorded(logger, logger.getLevel()))
            .toList();
    for (Recorded each : loggers) {
      each.logger().setLevel(level);
      each.logger().setAdditive(false);
      each.logger().addAppender(appender);
    }
  }

  /** Records what a class logs, debug lines included. */
  public static Logs of(Class<?> type) {
    return by(Level.DEBUG, type.getName());
  }

  /** Records what the loggers, and those below them, log from a level on. */
  public static Logs by(Level level, String... loggers) {
    return new Logs(level, false, loggers);
  }

  /** The same as for one class, and each attempt to log fails. */
  public static Logs failing(Class<?> type) {
    return new Logs(Level.DEBUG, true, type.getName());
  }

  /** Level and message of each warning or error that a class logs while something happens. */
  public static List<String> during(Class<?> type, Runnable action) {
    try (Logs logs = of(type)) {
      action.run();
      return logs.from(Level.WARN).map(Logs::line).toList();
    }
  }

  private static String line(ILoggingEvent event) {
    return event.getLevel() + " " + event.getFormattedMessage();
  }

  private Stream<ILoggingEvent> from(Level level) {
    return events.stream().filter(event -> event.getLevel().isGreaterOrEqual(level));
  }

  /** All of them, in order. */
  public List<ILoggingEvent> events() {
    return List.copyOf(events);
  }

  /** The messages of this level and above, in order. */
  public List<String> messages(Level level) {
    return from(level).map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** Those of warnings and errors. */
  public List<String> warnings() {
    return messages(Level.WARN);
  }

  /** The messages, in order. */
  public List<String> messages() {
    return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** Levels and messages, in order: {@code INFO ready}. */
  public List<String> lines() {
    return events.stream().map(Logs::line).toList();
  }

  private Stream<ILoggingEvent> withFields() {
    return events.stream().filter(event -> event.getKeyValuePairs() != null);
  }

  /** The messages of lines that have fields, in order. */
  public List<String> messagesWithFields() {
    return withFields().map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** The values of a field, in all lines that have it. */
  public List<String> field(String name) {
    return withFields()
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

  /** The messages of what was thrown, in order. */
  public List<String> thrown() {
    return events.stream()
        .flatMap(event -> Stream.ofNullable(event.getThrowableProxy()))
        .map(proxy -> String.valueOf(proxy.getMessage()))
        .toList();
  }

  /** How many places in the code each of what was thrown names, in order. */
  public List<Integer> places() {
    return events.stream()
        .flatMap(event -> Stream.ofNullable(event.getThrowableProxy()))
        .map(proxy -> proxy.getStackTraceElementProxyArray().length)
        .toList();
  }

  @Override
  public void close() {
    for (Recorded each : loggers) {
      each.logger().detachAppender(appender);
      each.logger().setLevel(each.before());
      each.logger().setAdditive(true);
    }
  }
}
