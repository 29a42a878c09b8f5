// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import java.util.Collection;
import java.util.Comparator;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs {@link StageBenchmarks} with JMH and prints the time and the allocation of each stage as
 * Markdown. The benchmarks need no server.
 */
public final class StageReport {

  /** The maximum ratio between the times of an index lookup in a large and in a small cache. */
  private static final double MOST_GROWTH = 2;

  private StageReport() {}

  /** Runs the benchmark. */
  public static void main(String[] arguments) throws RunnerException {
    measure();
  }

  /** Runs the measurement and prints the results. */
  static void measure() throws RunnerException {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include(StageBenchmarks.class.getName())
                    .addProfiler(GCProfiler.class)
                    .verbosity(VerboseMode.SILENT)
                    .shouldFailOnError(true)
                    .build())
            .run();
    System.out.printf("%n### Stages, one by one%n%n");
    System.out.println("| stage | objects in the cache | ns | ± | bytes allocated |");
    System.out.println("|---|---|---|---|---|");
    results.stream()
        .sorted(Comparator.comparing(StageReport::name).thenComparing(StageReport::objects))
        .forEach(StageReport::printRow);
    double growth = time(results, 100_000) / time(results, 1_000);
    System.out.printf(
        "%n`byIndex` at 100,000 objects takes %.2f times as long as at 1,000; target ≤ %.0f: %s.%n",
        growth, MOST_GROWTH, growth <= MOST_GROWTH ? "pass" : "**fail**");
  }

  private static void printRow(RunResult result) {
    Result<?> time = result.getPrimaryResult();
    Result<?> bytes = result.getSecondaryResults().get("gc.alloc.rate.norm");
    System.out.printf(
        "| %s | %s | %,.0f | %,.0f | %,.0f |%n",
        name(result),
        objects(result) == 0 ? "" : "%,d".formatted(objects(result)),
        time.getScore(),
        time.getScoreError(),
        bytes == null ? Double.NaN : bytes.getScore());
  }

  private static double time(Collection<RunResult> results, int objects) {
    return results.stream()
        .filter(result -> name(result).equals("byIndex") && objects(result) == objects)
        .mapToDouble(result -> result.getPrimaryResult().getScore())
        .findFirst()
        .orElseThrow();
  }

  private static String name(RunResult result) {
    String whole = result.getParams().getBenchmark();
    return whole.substring(whole.lastIndexOf('.') + 1);
  }

  private static int objects(RunResult result) {
    String objects = result.getParams().getParam("objects");
    return objects == null ? 0 : Integer.parseInt(objects);
  }
}
