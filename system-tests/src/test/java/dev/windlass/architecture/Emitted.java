// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The metrics that a scrape shows, and whether a query asks for others. */
final class Emitted {

  /** One metric: a histogram has three kinds of series, a summary two. */
  record Metric(String name, String type, String help, Set<String> labels) {}

  private static final Pattern SERIES = Pattern.compile("([a-z_]+)(?:\\{(.*)})? \\S+");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");
  private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on|without) *\\(([^)]*)\\)");
  private static final Pattern SELECTOR =
      Pattern.compile("([a-z_]\\w*)(?:\\{([^}]*)})?(?!\\w| *\\()");
  private static final Pattern MATCHER = Pattern.compile("([a-z_]+) *(?:=~|!~|!=|=)");

  /** What Prometheus adds to each series. */
  private static final Set<String> OF_THE_SCRAPE = Set.of("job", "instance", "namespace", "pod");

  private final Map<String, Metric> metrics = new TreeMap<>();

  private Emitted() {}

  static Emitted in(String scrape) {
    Emitted emitted = new Emitted();
    Map<String, String> helps = new TreeMap<>();
    for (String line : scrape.lines().toList()) {
      String[] words = line.split(" ", 4);
      if (line.startsWith("# HELP ")) {
        helps.put(words[2], words[3]);
      } else if (line.startsWith("# TYPE ")) {
        String help = helps.getOrDefault(words[2], "");
        emitted.metrics.put(words[2], new Metric(words[2], words[3], help, new TreeSet<>()));
      } else {
        Matcher series = SERIES.matcher(line);
        assertThat(series.matches()).as(line).isTrue();
        Metric metric = emitted.metric(series.group(1));
        if (metric == null) {
          throw new AssertionError("no type before " + line);
        }
        if (series.group(2) != null) {
          LABEL.matcher(series.group(2)).results().forEach(l -> metric.labels().add(l.group(1)));
        }
      }
    }
    emitted.metrics.values().forEach(metric -> metric.labels().remove("le"));
    return emitted;
  }

  /** The metric that a series belongs to; null if there is none. */
  @Nullable Metric metric(String series) {
    Metric metric = metrics.get(series);
    Metric whole = metrics.get(series.replaceAll("_(bucket|sum|count)$", ""));
    return metric != null || whole == null || !whole.type().matches("histogram|summary")
        ? metric
        : whole;
  }

  /** Those that we name; what Micrometer adds to histograms is described with them. */
  List<Metric> all() {
    return metrics.values().stream()
        .filter(
            metric ->
                !metric.name().endsWith("_max")
                    || metric(metric.name().replaceAll("_max$", "")) == null)
        .toList();
  }

  /** Complains of metrics and labels of a PromQL query that are not emitted. */
  void requireAll(String query) {
    String text = query.replaceAll("\\[[^]]*]", "").replaceAll("\"[^\"]*\"", "\"\"");
    List<String> grouped = new ArrayList<>();
    Matcher groups = GROUPING.matcher(text);
    while (groups.find()) {
      grouped.addAll(List.of(groups.group(1).trim().split(" *, *")));
    }
    text = groups.replaceAll(" ").replaceAll("\\b(and|or|unless|bool|offset \\d+\\w)\\b", " ");
    Set<String> known = new TreeSet<>(OF_THE_SCRAPE);
    int asked = 0;
    Matcher selectors = SELECTOR.matcher(text);
    while (selectors.find()) {
      String name = selectors.group(1);
      Metric metric = metric(name);
      if (metric == null) {
        throw new AssertionError("no metric " + name + " is emitted, as wanted by " + query);
      }
      asked++;
      Set<String> labels = new TreeSet<>(metric.labels());
      if (name.endsWith("_bucket")) {
        labels.add("le");
      }
      labels.addAll(OF_THE_SCRAPE);
      known.addAll(labels);
      String matchers = selectors.group(2) == null ? "" : selectors.group(2);
      assertThat(MATCHER.matcher(matchers).results().map(m -> m.group(1)))
          .as("the labels that %s has in %s", name, query)
          .allMatch(labels::contains);
    }
    assertThat(asked).as("metrics in %s", query).isPositive();
    assertThat(known).as("the labels of %s", query).containsAll(grouped);
  }
}
