// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The output to which the log is written. This record is immutable.
 *
 * @param there whether the output is a terminal
 * @param environment the environment variables of the process
 */
record Terminal(boolean there, Map<String, String> environment) {

  /** The symbolic link through which Linux exposes the standard error of this process. */
  private static final Path ERRORS = Path.of("/proc/self/fd/2");

  /** Creates a terminal with a copy of the map. */
  Terminal {
    environment = Map.copyOf(environment);
  }

  /** Returns the output of this process's log. */
  static Terminal ofLogs() {
    return new Terminal(isTerminal(ERRORS), System.getenv());
  }

  /**
   * Returns whether a stream is a terminal, or false if the operating system does not provide this
   * information.
   */
  static boolean isTerminal(Path stream) {
    try {
      String target = Files.readSymbolicLink(stream).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /**
   * Returns whether to use colours. The log uses colours on a terminal, or if {@code
   * CLICOLOR_FORCE} is set, which is intended for operating systems that do not report whether the
   * output is a terminal. The log never uses colours if {@code NO_COLOR} is set or {@code TERM} is
   * {@code dumb}.
   */
  boolean isColoured() {
    return (there || !environment.getOrDefault("CLICOLOR_FORCE", "0").equals("0"))
        && environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }
}
