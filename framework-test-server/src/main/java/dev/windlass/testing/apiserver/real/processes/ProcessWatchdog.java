// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A shell process that kills the server's processes if the JVM exits without having killed them.
 *
 * <p>The shell reads process ids from a pipe that the JVM keeps open. Each line lists all processes
 * to kill and replaces the previous line. When the JVM exits for any reason, the operating system
 * closes the pipe. The shell then sends SIGKILL to the processes in the last line and deletes the
 * server's directory. If the last line is empty, the shell does nothing.
 */
final class ProcessWatchdog {

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

  private ProcessWatchdog(Process shell) {
    this.shell = shell;
    this.pipe = shell.outputWriter(StandardCharsets.US_ASCII);
  }

  static ProcessWatchdog start(Path directory) {
    try {
      return new ProcessWatchdog(
          new ProcessBuilder("sh", "-c", SCRIPT, "windlass-watchdog", directory.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start sh", e);
    }
  }

  /** Sets the processes to kill when the JVM exits. Replaces the processes of an earlier call. */
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

  /** Ends the shell without killing the processes that it guards. */
  void dismiss() {
    try {
      guard(List.of());
      pipe.close();
    } catch (IOException | UncheckedIOException e) {
      // The shell has already exited because of an earlier call.
    }
    ServerProcess.awaitExit(shell, GRACE);
  }
}
