// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs a program of this module in a separate JVM, with the class path of the current JVM. */
final class ChildJvm {

  /** The shell command that enters the control group {@code $0} and then executes the program. */
  private static final String ENTER_AND_RUN = "echo $$ >\"$0/cgroup.procs\" && exec \"$@\"";

  private ChildJvm() {}

  /**
   * Runs a program without a control group.
   *
   * @see #run(Class, List, List, Duration, Optional)
   */
  static Optional<List<String>> run(
      Class<?> program, List<String> flags, List<String> arguments, Duration limit)
      throws IOException, InterruptedException {
    return run(program, flags, arguments, limit, Optional.empty());
  }

  /**
   * Runs a program.
   *
   * @param flags the JVM flags
   * @param cgroup the directory of the control group in which the program runs
   * @return the lines of the program's standard output; empty if the program failed or exceeded the
   *     limit
   */
  static Optional<List<String>> run(
      Class<?> program,
      List<String> flags,
      List<String> arguments,
      Duration limit,
      Optional<Path> cgroup)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    cgroup.ifPresent(group -> command.addAll(List.of("sh", "-c", ENTER_AND_RUN, group.toString())));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(arguments);
    Path output = Files.createTempFile("windlass-benchmark", ".out");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(output.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try {
        boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        return ended && process.exitValue() == 0
            ? Optional.of(Files.readAllLines(output))
            : Optional.empty();
      } finally {
        process.destroyForcibly().waitFor();
      }
    } finally {
      Files.delete(output);
    }
  }
}
