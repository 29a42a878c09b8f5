// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** Log events as the tests need them. */
final class Events {

  private static final LoggerContext CONTEXT = new LoggerContext();

  private Events() {}

  static LoggingEvent of(String message, KeyValuePair... pairs) {
    return of(Level.INFO, message, null, pairs);
  }

  /** One of a reconcile. */
  static LoggingEvent of(Map<String, String> context, String message, KeyValuePair... pairs) {
    return of(context, Level.INFO, message, null, pairs);
  }

  static LoggingEvent of(
      Level level, String message, @Nullable Throwable thrown, KeyValuePair... pairs) {
    return of(Map.of(), level, message, thrown, pairs);
  }

  static LoggingEvent of(
      Map<String, String> context,
      Level level,
      String message,
      @Nullable Throwable thrown,
      KeyValuePair... pairs) {
    LoggingEvent event =
        new LoggingEvent(
            Events.class.getName(),
            CONTEXT.getLogger("controllers.Hello"),
            level,
            message,
            thrown,
            new Object[0]);
    event.setKeyValuePairs(List.of(pairs));
    event.setMDCPropertyMap(context);
    event.setThreadName("hello-worker-1");
    return event;
  }
}
