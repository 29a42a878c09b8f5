// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The format of the log lines. */
enum LogFormat {

  /** Prints tab-separated columns; see {@link TextLines}. */
  TEXT,

  /** Prints one JSON object per line, with the encoder of logback. */
  JSON;

  /** Returns the name used on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Parses the names used on the command line, ignoring case. */
  static final class Named implements ITypeConverter<LogFormat> {
    @Override
    public LogFormat convert(String value) {
      for (LogFormat format : values()) {
        if (format.toString().equalsIgnoreCase(value)) {
          return format;
        }
      }
      throw new TypeConversionException("'" + value + "' is not a log format; use text or json");
    }
  }
}
