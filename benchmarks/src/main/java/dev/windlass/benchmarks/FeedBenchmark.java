// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * What a watch event costs from the feed to the handlers: 1,000,000 prepared events of 10,000
 * objects go through reflector, FIFO, index and three handlers. Cutting bytes into events is not
 * part of it; {@link StageBenchmarks#watchFrames} measures that. Prints Markdown; needs no server,
 * and 2 GB of memory.
 */
public final class FeedBenchmark {

  private static final int OBJECTS = 10_000;
  private static final int TURNS = 100;

  private FeedBenchmark() {}

  /** The program. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    measure();
  }

  /** Measures and prints. */
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
