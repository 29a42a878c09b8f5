// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A waiting shell that ends the server's processes if the JVM is killed before it can do so.
 *
 * <p>It reads the process ids from a pipe whose other end only the JVM holds, one line per change.
 * When the JVM ends for any reason, the system closes the pipe. The shell then sends SIGKILL to the
 * ids in the last line and deletes the server's directory. An empty line means that there is
 * nothing to do.
 */
final class Watchdog {

  private static final Duration GRACE = Duration.ofSeconds(2);

  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      ids=
      while read -r line; do ids=$line; done
      [ -n "$ids" ] || exit 0
      kill -9 $ids
      sleep 1
      rm -rf -- "$1"
      """;

  private final Process shell;
  private final Writer pipe;

  private Watchdog(Process shell) {
    this.shell = shell;
    this.pipe = shell.outputWriter(StandardCharsets.US_ASCII);
  }

  static Watchdog start(Path directory) {
    try {
      return new Watchdog(
          new ProcessBuilder("sh", "-c", SCRIPT, "windlass-watchdog", directory.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start sh", e);
    }
  }

  /** Ends these processes, and no others, when the JVM ends. */
  void guard(List<ProcessHandle> processes) {
    String ids =
        processes.stream()
            .map(process -> Long.toString(process.pid()))
            .collect(Collectors.joining(" "));
    try {
      pipe.write(ids + "\n");
      pipe.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the watchdog process has ended", e);
    }
  }

  ProcessHandle handle() {
    return shell.toHandle();
  }

  /** Ends the shell without ending the processes it guards. */
  void dismiss() {
    try {
      guard(List.of());
      pipe.close();
    } catch (IOException | UncheckedIOException e) {
      // the shell is gone: dismissed already
    }
    ServerProcess.awaitExit(shell, GRACE);
  }
}
