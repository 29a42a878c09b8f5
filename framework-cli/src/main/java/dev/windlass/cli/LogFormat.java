// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import java.util.Locale;

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
}
