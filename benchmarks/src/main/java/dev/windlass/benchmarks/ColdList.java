// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Measures the first list in a JVM that has just started, without a network or a server. One
 * informer reads a streaming list from memory, in chunks of 2 KB as API servers write them, until
 * its handler has received every object. The JIT compiler causes much of the cost, so the benchmark
 * runs with and without the second stage of this compiler. It prints Markdown.
 *
 * <p>System properties, with their defaults: {@code bench.objects} (100,000), {@code bench.rounds}
 * (10). Unless other values are set, the Maven profile {@code bench} passes 20,000 and 3.
 */
public final class ColdList {

  private static final List<String> FLAGS = List.of("-Xmx2g", "-Xmx2g -XX:TieredStopAtLevel=1");

  private ColdList() {}

  /**
   * The times of one JVM, in seconds.
   *
   * @param wall the elapsed time
   * @param cpu the CPU time of all threads
   * @param jit the elapsed time of the compiler threads
   */
  record Round(double wall, double cpu, double jit) {

    private static final String MARK = "cold list: ";

    String toLine() {
      return MARK + wall + " " + cpu + " " + jit;
    }

    static Round ofLine(String line) {
      String[] values = line.substring(MARK.length()).split(" ", -1);
      return new Round(
          Double.parseDouble(values[0]),
          Double.parseDouble(values[1]),
          Double.parseDouble(values[2]));
    }

    static boolean isLine(String line) {
      return line.startsWith(MARK);
    }
  }

  /** Runs the benchmark. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    measure(Integer.getInteger("bench.objects", 100_000), Integer.getInteger("bench.rounds", 10));
  }

  /** Runs the measurement and prints the results. */
  static void measure(int objects, int rounds) throws IOException, InterruptedException {
    System.out.printf("%n### First list of %,d objects, read from memory%n%n", objects);
    System.out.println("| flags | wall s | CPU s | JIT compiler s | CPU s, least |");
    System.out.println("|---|---|---|---|---|");
    for (String flags : FLAGS) {
      List<Round> all = new ArrayList<>();
      for (int i = 0; i < rounds; i++) {
        all.add(run(flags, objects));
      }
      System.out.printf(
          "| %s | %.2f | %.2f | %.2f | %.2f |%n",
          flags,
          middle(all.stream().map(Round::wall).toList()),
          middle(all.stream().map(Round::cpu).toList()),
          middle(all.stream().map(Round::jit).toList()),
          all.stream().mapToDouble(Round::cpu).min().orElseThrow());
    }
  }

  private static Round run(String flags, int objects) throws IOException, InterruptedException {
    List<String> lines =
        ChildJvm.run(
                ColdListRun.class,
                List.of(flags.split(" ", -1)),
                List.of(Integer.toString(objects)),
                Duration.ofMinutes(2))
            .orElseThrow(() -> new IllegalStateException("the measurement failed"));
    return Round.ofLine(lines.stream().filter(Round::isLine).findFirst().orElseThrow());
  }

  private static double middle(List<Double> values) {
    return values.stream().sorted(Comparator.naturalOrder()).toList().get(values.size() / 2);
  }
}
