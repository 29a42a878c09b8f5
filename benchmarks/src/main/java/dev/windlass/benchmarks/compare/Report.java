// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Renders the medians as Markdown, as charts and as JSON. The cell of a figure that was not
 * measured stays empty.
 */
final class Report {

  private final Options options;
  private final List<Peer> peers;
  private final Results results;

  Report(Options options, List<Peer> peers, Results results) {
    this.options = options;
    this.peers = peers;
    this.results = results;
  }

  /**
   * Returns one table per scenario and number of objects that have results. Each cell contains a
   * figure and its ratio to the lowest figure of the Java frameworks other than Windlass with the
   * same JVM flags, or with the default flags if none was measured with these flags; in SCALE, to
   * that of one replica of Windlass.
   */
  String markdown() {
    StringBuilder text = new StringBuilder();
    for (Scenario scenario : Scenario.values()) {
      if (options.scenarios().contains(scenario)) {
        for (int objects : measured(scenario)) {
          table(text, scenario, objects);
        }
      }
    }
    return text.toString();
  }

  /** Returns one chart per scenario and number of objects, by file name. */
  Map<String, String> charts() {
    Map<String, String> charts = new LinkedHashMap<>();
    for (Scenario scenario : Scenario.values()) {
      if (!options.scenarios().contains(scenario)) {
        continue;
      }
      for (int objects : measured(scenario)) {
        List<String> columns = scenario.columns().subList(0, 2);
        List<Chart.Row> rows = new ArrayList<>();
        for (Peer peer : rows(scenario, objects)) {
          rows.add(
              new Chart.Row(
                  peer.row(),
                  columns.stream()
                      .map(column -> results.median(scenario, objects, peer.row(), column))
                      .toList()));
        }
        String title = scenario.title(objects);
        charts.put(
            "%s-%d.svg".formatted(scenario.title(), objects), Chart.svg(title, columns, rows));
      }
    }
    return charts;
  }

  /** Returns the numbers of objects for which there is a result. */
  private List<Integer> measured(Scenario scenario) {
    return options.objects(scenario).stream()
        .filter(
            objects ->
                peers.stream().anyMatch(peer -> results.rounds(scenario, objects, peer.row()) > 0))
        .toList();
  }

  private void table(StringBuilder text, Scenario scenario, int objects) {
    List<String> columns = scenario.columns();
    text.append("**").append(scenario.title(objects)).append("**\n\n");
    text.append("| | ").append(String.join(" | ", columns)).append(" |\n");
    text.append("|---|").append("--:|".repeat(columns.size())).append('\n');
    for (Peer peer : rows(scenario, objects)) {
      List<String> cells = new ArrayList<>();
      for (String column : columns) {
        cells.add(
            cell(
                results.median(scenario, objects, peer.row(), column),
                best(scenario, objects, peer.flags(), column)));
      }
      text.append("| ").append(peer.row()).append(" | ");
      text.append(String.join(" | ", cells)).append(" |\n");
    }
    text.append('\n').append(results.origin(scenario, objects)).append("\n\n");
  }

  private List<Peer> rows(Scenario scenario, int objects) {
    return peers.stream().filter(peer -> peer.runs(scenario, objects)).toList();
  }

  private OptionalDouble best(Scenario scenario, int objects, Peer.Flags flags, String column) {
    if (scenario == Scenario.SCALE) {
      return results.median(scenario, objects, "windlass", column);
    }
    OptionalDouble same = lowest(scenario, objects, flags, column);
    return same.isPresent() ? same : lowest(scenario, objects, Peer.Flags.DEFAULT, column);
  }

  private OptionalDouble lowest(Scenario scenario, int objects, Peer.Flags flags, String column) {
    return peers.stream()
        .filter(peer -> peer.java() && peer.flags() == flags)
        .map(peer -> results.median(scenario, objects, peer.row(), column))
        .flatMapToDouble(OptionalDouble::stream)
        .min();
  }

  private static String cell(OptionalDouble figure, OptionalDouble best) {
    if (figure.isEmpty()) {
      return "";
    }
    double value = figure.getAsDouble();
    String shown =
        value == Math.rint(value) || value >= 100
            ? String.format(Locale.ROOT, "%,.0f", value)
            : String.format(Locale.ROOT, "%.2f", value);
    return best.isEmpty() || best.getAsDouble() <= 0 || value < 0
        ? shown
        : String.format(Locale.ROOT, "%s (%.2f)", shown, value / best.getAsDouble());
  }

  /**
   * Returns the medians as a JSON array. Each element contains the medians of one row, for one
   * scenario and one number of objects.
   */
  String json() {
    List<Map<String, Object>> cells = new ArrayList<>();
    for (Scenario scenario : Scenario.values()) {
      if (!options.scenarios().contains(scenario)) {
        continue;
      }
      for (int objects : measured(scenario)) {
        for (Peer peer : rows(scenario, objects)) {
          Map<String, Object> figures = new LinkedHashMap<>();
          for (String column : scenario.columns()) {
            results
                .median(scenario, objects, peer.row(), column)
                .ifPresent(figure -> figures.put(column, figure));
          }
          Map<String, Object> cell = new LinkedHashMap<>();
          cell.put("scenario", scenario.title());
          cell.put("objects", objects);
          cell.put("peer", peer.row());
          cell.put("rounds", results.rounds(scenario, objects, peer.row()));
          cell.put("measured", results.origin(scenario, objects));
          cell.put("medians", figures);
          cells.add(cell);
        }
      }
    }
    try {
      return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(cells)
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
