// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The figures of all rounds. If there is a file, {@link #add} also appends each run to it, so that
 * a comparison that was stopped can continue. This class is not thread-safe.
 */
final class Results {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * One run of a program.
   *
   * @param figures the figures, keyed by the titles in {@link Scenario#columns()}
   */
  record Run(int round, Scenario scenario, int objects, String row, Map<String, Double> figures) {}

  private final Optional<Path> file;
  private final List<Run> runs = new ArrayList<>();

  private Results(Optional<Path> file) {
    this.file = file;
  }

  /** Returns results that are not written to a file. */
  static Results inMemory() {
    return new Results(Optional.empty());
  }

  /**
   * Returns the results in a file.
   *
   * @param resume whether to keep the runs in the file; if false, this method deletes the file
   */
  static Results in(Path file, boolean resume) throws IOException {
    Results results = new Results(Optional.of(file));
    if (resume && Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        results.runs.add(MAPPER.readValue(line, Run.class));
      }
    } else {
      Files.deleteIfExists(file);
    }
    return results;
  }

  /** Adds the figures of one run. */
  void add(int round, Scenario scenario, int objects, String row, Map<String, Double> figures)
      throws IOException {
    Run run = new Run(round, scenario, objects, row, figures);
    runs.add(run);
    if (file.isPresent()) {
      Files.createDirectories(file.get().getParent());
      Files.writeString(
          file.get(),
          MAPPER.writeValueAsString(run) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }

  /** Returns whether a run has been added. */
  boolean contains(int round, Scenario scenario, int objects, String row) {
    return runs.stream().anyMatch(run -> run.round() == round && is(run, scenario, objects, row));
  }

  /** Returns the number of rounds that have been added. */
  long rounds(Scenario scenario, int objects, String row) {
    return runs.stream().filter(run -> is(run, scenario, objects, row)).count();
  }

  /** Returns the median over all rounds, or an empty result if there is no figure. */
  OptionalDouble median(Scenario scenario, int objects, String row, String column) {
    return median(
        runs.stream()
            .filter(run -> is(run, scenario, objects, row) && run.figures().containsKey(column))
            .map(run -> run.figures().get(column))
            .toList());
  }

  private static boolean is(Run run, Scenario scenario, int objects, String row) {
    return run.scenario() == scenario && run.objects() == objects && run.row().equals(row);
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
