// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where the log goes. Immutable.
 *
 * @param there whether somebody looks at it as it is written
 * @param environment the variables of the process
 */
record Terminal(boolean there, Map<String, String> environment) {

  /** What Linux opens as the standard error of this process. */
  private static final Path ERRORS = Path.of("/proc/self/fd/2");

  /** Takes a copy. */
  Terminal {
    environment = Map.copyOf(environment);
  }

  /** That of this process. */
  static Terminal ofLogs() {
    return new Terminal(isTerminal(ERRORS), System.getenv());
  }

  /** Where the system does not say what a stream is, it may be a file. */
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
   * Not in files and pipes, and never against {@code NO_COLOR} or on a terminal that has none. With
   * {@code CLICOLOR_FORCE} everywhere else, for systems that do not tell what a terminal is.
   */
  boolean isColoured() {
    return (there || !environment.getOrDefault("CLICOLOR_FORCE", "0").equals("0"))
        && environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }
}
