// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

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
   * @param commit the commit of Windlass that was measured
   * @param date the day of the measurement
   */
  record Run(
      int round,
      Scenario scenario,
      int objects,
      String row,
      Map<String, Double> figures,
      String commit,
      String date) {}

  private final Optional<Path> file;
  private final String commit;
  private final String date;
  private final List<Run> runs = new ArrayList<>();

  private Results(Optional<Path> file, String commit, LocalDate date) {
    this.file = file;
    this.commit = commit;
    this.date = date.toString();
  }

  /** Returns results that are not written to a file. */
  static Results inMemory() {
    return new Results(Optional.empty(), "abc", LocalDate.EPOCH);
  }

  /**
   * Returns the results in a file.
   *
   * @param resume whether to keep the runs in the file; if false, this method deletes the file
   * @param commit the commit of Windlass that the new runs measure
   * @param date the day of the new runs
   */
  static Results in(Path file, boolean resume, String commit, LocalDate date) throws IOException {
    Results results = new Results(Optional.of(file), commit, date);
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
    Run run = new Run(round, scenario, objects, row, figures, commit, date);
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

  /**
   * Returns what the figures of a table are based on: for each commit and day, the number of rounds
   * of the row with the most rounds.
   */
  String origin(Scenario scenario, int objects) {
    Map<String, Integer> rounds = new LinkedHashMap<>();
    Map<String, Integer> ofRow = new HashMap<>();
    for (Run run : runs) {
      if (run.scenario() == scenario && run.objects() == objects) {
        String measured = "commit " + run.commit() + ", " + run.date();
        rounds.merge(measured, ofRow.merge(measured + run.row(), 1, Integer::sum), Math::max);
      }
    }
    return rounds.entrySet().stream()
        .map(of -> of.getValue() + (of.getValue() == 1 ? " round, " : " rounds, ") + of.getKey())
        .collect(Collectors.joining("; "));
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
