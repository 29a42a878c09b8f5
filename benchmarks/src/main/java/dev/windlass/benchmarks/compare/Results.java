// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** The figures of all rounds. This class is not thread-safe. */
final class Results {

  private record Key(Scenario scenario, int objects, String row, String column)
      implements Comparable<Key> {

    @Override
    public int compareTo(Key other) {
      return toString().compareTo(other.toString());
    }
  }

  private final Map<Key, List<Double>> figures = new TreeMap<>();

  /**
   * Adds the figures of one run.
   *
   * @param run the figures, keyed by the titles of their columns
   */
  void add(Scenario scenario, int objects, String row, Map<String, Double> run) {
    run.forEach(
        (column, figure) ->
            figures
                .computeIfAbsent(new Key(scenario, objects, row, column), key -> new ArrayList<>())
                .add(figure));
  }

  /** Returns the median over all rounds, or an empty result if there is no figure. */
  OptionalDouble median(Scenario scenario, int objects, String row, String column) {
    return median(figures.getOrDefault(new Key(scenario, objects, row, column), List.of()));
  }

  /**
   * Returns the median of the figures. The median of an even number of figures is the mean of the
   * two in the middle.
   */
  static OptionalDouble median(List<Double> figures) {
    if (figures.isEmpty()) {
      return OptionalDouble.empty();
    }
    List<Double> sorted = figures.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return OptionalDouble.of(
        sorted.size() % 2 == 1
            ? sorted.get(middle)
            : (sorted.get(middle - 1) + sorted.get(middle)) / 2);
  }
}
