// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The resources that one informer needed until it had synced.
 *
 * @param seconds the time from the start until the handler had received all objects
 * @param cpuSeconds the CPU time of the whole process during that time
 * @param heapBytes the growth of the live heap
 * @param residentBytes the peak resident memory of the process
 * @param typedObjects the number of typed objects created
 */
record InformerFigures(
    double seconds,
    double cpuSeconds,
    double heapBytes,
    double residentBytes,
    double typedObjects) {

  private static final String MARK = "figures:";

  /** Returns the figures as one line of the output of a child JVM. */
  String toLine() {
    return String.join(
        " ",
        MARK,
        Double.toString(seconds),
        Double.toString(cpuSeconds),
        Double.toString(heapBytes),
        Double.toString(residentBytes),
        Double.toString(typedObjects));
  }

  static boolean isLine(String line) {
    return line.startsWith(MARK);
  }

  static InformerFigures ofLine(String line) {
    double[] values =
        Arrays.stream(line.substring(MARK.length()).trim().split(" ", -1))
            .mapToDouble(Double::parseDouble)
            .toArray();
    return new InformerFigures(values[0], values[1], values[2], values[3], values[4]);
  }

  /** Returns the median of each figure separately. */
  static InformerFigures median(List<InformerFigures> rounds) {
    return new InformerFigures(
        median(rounds, InformerFigures::seconds),
        median(rounds, InformerFigures::cpuSeconds),
        median(rounds, InformerFigures::heapBytes),
        median(rounds, InformerFigures::residentBytes),
        median(rounds, InformerFigures::typedObjects));
  }

  private static double median(
      List<InformerFigures> rounds, ToDoubleFunction<InformerFigures> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
