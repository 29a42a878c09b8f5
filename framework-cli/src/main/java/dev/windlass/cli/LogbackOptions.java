// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.windlass.logging.OneLine;
import java.nio.charset.StandardCharsets;
import org.slf4j.LoggerFactory;

/** Applies the log options to logback. This class is stateless. */
final class LogbackOptions {

  /** The name of the logger that is the parent of all loggers of Windlass. */
  static final String WINDLASS = "dev.windlass";

  private LogbackOptions() {}

  /**
   * Sets the levels of the root logger and of Windlass's loggers, enables the DEBUG lines of the
   * loggers in {@link Logs#debug()}, and sets the format of the root logger's console appenders.
   */
  static void apply(Logs options) {
    apply(options, (LoggerContext) LoggerFactory.getILoggerFactory());
  }

  static void apply(Logs options, LoggerContext context) {
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    if (options.level() != null) {
      Level level = Level.convertAnSLF4JLevel(options.level());
      root.setLevel(level);
      context.getLogger(WINDLASS).setLevel(level);
    }
    options.debug().stream()
        .map(context::getLogger)
        .filter(logger -> !logger.isDebugEnabled())
        .forEach(logger -> logger.setLevel(Level.DEBUG));
    LogFormat format = options.format();
    if (format != null) {
      root.iteratorForAppenders()
          .forEachRemaining(
              appender -> {
                if (appender instanceof ConsoleAppender<ILoggingEvent> console) {
                  use(console, format == LogFormat.JSON ? json() : new TextLines());
                }
              });
    }
  }

  /**
   * Returns logback's own encoder, without fields that repeat others or are the same in all lines.
   */
  private static JsonEncoder json() {
    JsonEncoder json = new SafeJson();
    json.setWithFormattedMessage(true);
    json.setWithMessage(false);
    json.setWithArguments(false);
    json.setWithContext(false);
    json.setWithNanoseconds(false);
    json.setWithSequenceNumber(false);
    return json;
  }

  private static void use(
      ConsoleAppender<ILoggingEvent> console, EncoderBase<ILoggingEvent> encoder) {
    Encoder<ILoggingEvent> configured = console.getEncoder();
    if (configured != null && configured.getClass() == encoder.getClass()) {
      return; // the encoder keeps its own settings
    }
    encoder.setContext(console.getContext());
    encoder.start();
    console.stop();
    console.setEncoder(encoder);
    console.start();
  }

  /** Also escapes the control characters beyond ASCII, which could change a terminal's state. */
  private static final class SafeJson extends JsonEncoder {
    @Override
    public byte[] encode(ILoggingEvent event) {
      String line = new String(super.encode(event), StandardCharsets.UTF_8).stripTrailing();
      return (OneLine.of(line) + '\n').getBytes(StandardCharsets.UTF_8);
    }
  }
}
