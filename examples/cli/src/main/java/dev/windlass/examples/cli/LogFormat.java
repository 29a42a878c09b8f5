// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How the lines of the log are written. */
enum LogFormat {

  /** Columns with a tab between any two: time, level, logger, message, fields (003-80). */
  TEXT,

  /** A JSON object a line; {@link JsonLines} says what is in it. */
  JSON;

  /** As on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Takes the names as they are on the command line. */
  static final class Named implements ITypeConverter<LogFormat> {
    @Override
    public LogFormat convert(String value) {
      for (LogFormat format : values()) {
        if (format.toString().equals(value)) {
          return format;
        }
      }
      throw new TypeConversionException("'" + value + "' is no format of logs; write text or json");
    }
  }
}
