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
 * A sleeping shell that ends the server's processes if this JVM gets killed without a chance to.
 *
 * <p>It reads the process ids to end, one line per change, from a pipe of which only the JVM holds
 * the other side. When the JVM is gone, however that came, the system closes the pipe; the shell
 * then sends SIGKILL to the ids of the last line and deletes the server's directory. An empty line
 * means that there is nothing to do.
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

  /** From now on these processes end with the JVM, and no others. */
  void guard(List<ProcessHandle> processes) {
    String ids =
        processes.stream()
            .map(process -> Long.toString(process.pid()))
            .collect(Collectors.joining(" "));
    try {
      pipe.write(ids + "\n");
      pipe.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the watchdog is gone", e);
    }
  }

  ProcessHandle handle() {
    return shell.toHandle();
  }

  /** Ends the shell without ending what it guards. */
  void dismiss() {
    try {
      guard(List.of());
      pipe.close();
    } catch (IOException | UncheckedIOException e) {
      // it is gone: dismissed already
    }
    ServerProcess.awaitExit(shell, GRACE);
  }
}
