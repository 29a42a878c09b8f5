// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Measures the cost of a watch event from the feed to the handlers. In the benchmark, 1,000,000
 * prepared events of 10,000 objects pass through the reflector, the FIFO, the index and three
 * handlers. The cost of splitting bytes into events is not included; {@link
 * StageBenchmarks#watchFrames} measures it. The benchmark prints Markdown. It needs 2 GB of memory
 * and no server.
 */
public final class FeedBenchmark {

  private static final int OBJECTS = 10_000;
  private static final int TURNS = 100;

  private FeedBenchmark() {}

  /** Runs the benchmark. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    measure();
  }

  /** Runs the measurement and prints the results. */
  static void measure() throws IOException, InterruptedException {
    System.out.printf("%n### Feed, %,d watch events%n%n", OBJECTS * TURNS);
    ChildJvm.run(
            FeedRun.class,
            List.of("-Xmx3g"),
            List.of(Integer.toString(OBJECTS), Integer.toString(TURNS)),
            Duration.ofMinutes(20))
        .orElseThrow(() -> new IllegalStateException("the measurement failed"))
        .forEach(System.out::println);
  }
}
