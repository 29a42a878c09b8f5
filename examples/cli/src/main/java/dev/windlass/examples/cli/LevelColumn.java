// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;

/** The second column of a log line: the level, coloured on a terminal. This class is stateless. */
public final class LevelColumn extends ClassicConverter {

  private static final String PLAIN = "\u001b[0m";

  private final boolean coloured;

  /** Creates a converter. Logback calls this constructor by reflection. */
  public LevelColumn() {
    this(Terminal.ofLogs().isColoured());
  }

  LevelColumn(boolean coloured) {
    this.coloured = coloured;
  }

  @Override
  public String convert(ILoggingEvent event) {
    Level level = event.getLevel();
    return coloured ? colour(level) + level + PLAIN : level.toString();
  }

  /** Returns the colour that zap, the logger of the original Go programs, uses for a level. */
  private static String colour(Level level) {
    return switch (level.toInt()) {
      case Level.ERROR_INT -> "\u001b[31m";
      case Level.WARN_INT -> "\u001b[33m";
      case Level.INFO_INT -> "\u001b[34m";
      default -> "\u001b[35m";
    };
  }
}
