// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What a class logs while something happens. */
public final class LogCapture {

  private LogCapture() {}

  /** Level and message of each warning or error, which goes nowhere else. */
  public static List<String> during(Class<?> logging, Runnable action) {
    Logger logger = (Logger) LoggerFactory.getLogger(logging);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.setLevel(Level.WARN);
    logger.setAdditive(false);
    logger.addAppender(log);
    try {
      action.run();
    } finally {
      logger.detachAppender(log);
      logger.setLevel(null);
      logger.setAdditive(true);
    }
    return log.list.stream()
        .map(entry -> entry.getLevel() + " " + entry.getFormattedMessage())
        .toList();
  }
}
