// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Measures the work queue, and compares it with the queue of client-java. The benchmark adds a
 * million keys to each queue, takes them and marks them as done. On the work queue, it also adds a
 * key that already waits, and adds and drains 10^4 to 10^6 delayed keys. It prints Markdown. It
 * needs 3 GB of memory and no server.
 *
 * <p>System property, with its default: {@code bench.rounds} (3).
 */
public final class QueueReport {

  private QueueReport() {}

  /** Runs the benchmark. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    measure();
  }

  /** Runs the measurement and prints the results. */
  static void measure() throws IOException, InterruptedException {
    System.out.printf("%n### Work queue%n%n");
    for (Class<?> part : List.of(QueueThroughput.class, QueueMemory.class)) {
      ChildJvm.run(
              part,
              List.of("-Xms3g", "-Xmx3g"),
              List.of(Integer.getInteger("bench.rounds", 3).toString()),
              Duration.ofMinutes(10))
          .orElseThrow(() -> new IllegalStateException(part.getSimpleName() + " failed"))
          .forEach(System.out::println);
    }
  }
}
