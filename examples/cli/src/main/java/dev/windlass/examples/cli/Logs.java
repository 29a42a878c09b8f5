// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.util.List;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/**
 * Configures the log of the process. By default, this module's {@code logback.xml} configures a
 * text log.
 */
final class Logs {

  private Logs() {}

  /**
   * Switches the log to a format and sets some loggers to DEBUG. Does nothing if SLF4J is bound to
   * a backend other than logback.
   */
  static void use(LogFormat format, List<String> debug) {
    ILoggerFactory factory = LoggerFactory.getILoggerFactory();
    if (!(factory instanceof LoggerContext context)) {
      return;
    }
    debug.forEach(name -> context.getLogger(name).setLevel(Level.DEBUG));
    Appender<ILoggingEvent> appender =
        context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("terminal");
    if (format == LogFormat.JSON
        && appender instanceof OutputStreamAppender<ILoggingEvent> terminal) {
      use(terminal, new JsonLines(), context);
    }
  }

  private static void use(
      OutputStreamAppender<ILoggingEvent> terminal,
      Encoder<ILoggingEvent> encoder,
      LoggerContext context) {
    encoder.setContext(context);
    encoder.start();
    terminal.stop();
    terminal.setEncoder(encoder);
    terminal.start();
  }
}
