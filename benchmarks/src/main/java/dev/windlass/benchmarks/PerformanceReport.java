// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Measures the informer, the first list, the feed, the stages and the work queue for {@code
 * docs/performance.md}, and prints the figures as Markdown to standard output. The measurement
 * takes about ten minutes and needs {@code KUBEBUILDER_ASSETS}.
 */
public final class PerformanceReport {

  private PerformanceReport() {}

  /** Runs the benchmark. */
  public static void main(String[] arguments)
      throws IOException, InterruptedException, RunnerException {
    printMachine();
    InformerComparison.compare(20_000, rounds());
    InformerComparison.compare(100_000, rounds());
    ColdList.measure(100_000, 10);
    FeedBenchmark.measure();
    StageReport.measure();
    QueueReport.measure();
    System.exit(0); // the transport may leave threads running
  }

  private static void printMachine() throws IOException {
    String memory =
        Files.readAllLines(Path.of("/proc/meminfo")).stream()
            .filter(line -> line.startsWith("MemTotal:"))
            .findFirst()
            .orElseThrow();
    System.out.printf(
        "%d cores, %.0f GB of memory, JDK %s, %d rounds, medians.%n",
        Runtime.getRuntime().availableProcessors(),
        Long.parseLong(memory.replaceAll("\\D", "")) * 1024 / 1e9,
        System.getProperty("java.version"),
        rounds());
  }

  private static int rounds() {
    return Integer.getInteger("bench.rounds", 3);
  }
}
