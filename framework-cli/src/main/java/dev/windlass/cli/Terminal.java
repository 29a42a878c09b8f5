// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The output stream for the log. This record is immutable.
 *
 * @param there whether the output stream is a terminal
 * @param environment the environment variables of the process
 */
record Terminal(boolean there, Map<String, String> environment) {

  /** The symbolic link that represents the standard error stream of this process on Linux. */
  private static final Path ERRORS = Path.of("/proc/self/fd/2");

  /** Creates a terminal, which contains a copy of the map. */
  Terminal {
    environment = Map.copyOf(environment);
  }

  /** Returns the output stream for the log of this process, which is standard error. */
  static Terminal ofLogs() {
    return new Terminal(isTerminal(ERRORS), System.getenv());
  }

  /**
   * Returns whether a stream is a terminal. Returns false if the operating system does not provide
   * this information.
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
   * Returns whether to use colours in the log. The log has colours if the output is a terminal or
   * if {@code CLICOLOR_FORCE} is set, but not if {@code NO_COLOR} is set or {@code TERM} is {@code
   * dumb}. Set {@code CLICOLOR_FORCE} if the operating system does not report that the output is a
   * terminal.
   */
  boolean isColoured() {
    return (there || !environment.getOrDefault("CLICOLOR_FORCE", "0").equals("0"))
        && environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }
}
