// SPDX-License-Identifier: Apache-2.0
package dev.windlass.behaviour;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What a class logs until this is closed, debug lines included; from any thread. */
public final class Logs implements AutoCloseable {

  private final Logger logger;
  private final @Nullable Level before;
  private final boolean fails;
  private final ConcurrentLinkedQueue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          events.add(event);
          if (fails) {
            throw new OutOfMemoryError("no memory for a line");
          }
        }
      };

  private Logs(Logger logger, boolean fails) {
    this.fails = fails;
    this.logger = logger;
    this.before = logger.getLevel();
    logger.setLevel(Level.DEBUG);
    logger.setAdditive(false);
    appender.start();
    logger.addAppender(appender);
  }

  public static Logs of(Class<?> type) {
    return new Logs((Logger) LoggerFactory.getLogger(type), false);
  }

  /** The same for all classes of a package and of those below it, from a level on. */
  public static Logs below(String packageName, Level level) {
    Logs logs = new Logs((Logger) LoggerFactory.getLogger(packageName), false);
    logs.logger.setLevel(level);
    return logs;
  }

  /** The same as for one class, and each attempt to log fails. */
  public static Logs failing(Class<?> type) {
    return new Logs((Logger) LoggerFactory.getLogger(type), true);
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
    logger.detachAppender(appender);
    logger.setLevel(before);
    logger.setAdditive(true);
  }
}
