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

/** Runs a program of this module in a JVM of its own, with the class path of this one. */
final class ChildJvm {

  private ChildJvm() {}

  /**
   * What the program wrote to its standard output; empty if it failed or took too long.
   *
   * @param flags of the JVM
   */
  static Optional<List<String>> run(
      Class<?> program, List<String> flags, List<String> arguments, Duration limit)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
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
