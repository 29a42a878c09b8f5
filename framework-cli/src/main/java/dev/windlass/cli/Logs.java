// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.logging.OneLine;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The log options. They configure logback; a program with another SLF4J backend configures that
 * backend itself. This record is immutable.
 *
 * @param level the lowest level that is logged; null leaves the configuration unchanged
 * @param format the format of the lines; null leaves the configuration unchanged
 * @param debug the loggers whose DEBUG lines are logged regardless of {@code level}
 */
record Logs(@Nullable Level level, @Nullable LogFormat format, List<String> debug) {

  private static final Logger log = LoggerFactory.getLogger("setup");

  /** The value of the variable WINDLASS_LOG_TRACES that logs full stack traces. */
  static final String FULL_TRACES = "full";

  private static final String LOGBACK = "ch.qos.logback.classic.LoggerContext";

  /**
   * Applies the options. If SLF4J is not bound to logback, the options have no effect, and this
   * method logs a warning if a level or a format was given.
   */
  void apply() {
    // Logback's classes may be missing, and LogbackOptions cannot be loaded without them.
    if (LoggerFactory.getILoggerFactory().getClass().getName().equals(LOGBACK)) {
      LogbackOptions.apply(this);
    } else if (level != null || format != null) {
      log.warn("--log-level and --log-format have no effect: the program does not use logback");
    }
    String traces = System.getenv("WINDLASS_LOG_TRACES");
    if (traces != null && !traces.isEmpty() && !traces.equals(FULL_TRACES)) {
      log.warn(
          "The variable WINDLASS_LOG_TRACES is '{}', which has no effect; only '{}' has one",
          OneLine.of(traces, 100),
          FULL_TRACES);
    }
  }
}
