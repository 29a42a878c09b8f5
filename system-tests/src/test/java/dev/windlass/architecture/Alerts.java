// SPDX-License-Identifier: Apache-2.0
package dev.windlass.architecture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The alerts of charts, evaluated over scrapes of one Pod. Understands what these alerts use of
 * PromQL. All scrapes lie within the range of a query, and the last is taken now.
 */
public final class Alerts {

  private static final Pattern OF_PODS =
      Pattern.compile("(, |\\{)namespace=\"\\{\\{[^,]*, pod=~\"[^\"]*\"}");
  private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)\n +expr: (.*)\n");
  private static final Pattern AGGREGATE =
      Pattern.compile("(sum|max|min) by \\((\\w+)\\) \\((.*)\\)");
  private static final Pattern OVER_TIME =
      Pattern.compile("(rate|increase|changes)\\((.*)\\[\\d+[mh]]\\)");
  private static final Pattern SELECTOR =
      Pattern.compile("(\\w+)(?:\\{(\\w+)(=~|=)\"([^\"]*)\"})?");
  private static final Pattern SERIES = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

  private final Map<String, String> queries = new LinkedHashMap<>();

  private Alerts() {}

  static String template() {
    return String.join(
        "\n",
        Checkout.lines(
            Checkout.root()
                .resolve("framework-cli/src/main/resources/dev/windlass/cli/install/chart")
                .resolve("templates/prometheusrule.yaml")));
  }

  /** The rule without the selectors of the program's Pods. */
  static String withoutPods(String rule) {
    return OF_PODS.matcher(rule).replaceAll(found -> found.group(1).equals("{") ? "" : "}");
  }

  /** The alerts that a chart contains. */
  public static Alerts ofCharts() {
    Alerts alerts = new Alerts();
    ALERT
        .matcher(withoutPods(template()))
        .results()
        .forEach(alert -> alerts.queries.put(alert.group(1), alert.group(2)));
    return alerts;
  }

  Set<String> names() {
    return queries.keySet();
  }

  /** The alerts that fire, perhaps after their time. */
  public Set<String> firing(List<String> scrapes) {
    Set<String> firing = new TreeSet<>();
    queries.forEach(
        (alert, query) -> {
          if (!value(query, scrapes).isEmpty()) {
            firing.add(alert);
          }
        });
    return firing;
  }

  /** The values of an expression by the label of its aggregation, or of one series without it. */
  private static Map<String, Double> value(String query, List<String> scrapes) {
    List<String> either = split(query, " or ");
    if (either.size() > 1) {
      Map<String, Double> all = new TreeMap<>();
      either.forEach(each -> all.putAll(value(each, scrapes)));
      return all;
    }
    for (String operator : List.of(" > ", " < ", " != ")) {
      List<String> sides = split(query, operator);
      if (sides.size() > 1) {
        Map<String, Double> right = value(sides.get(1), scrapes);
        Map<String, Double> all = new TreeMap<>(value(sides.get(0), scrapes));
        all.entrySet()
            .removeIf(
                left -> {
                  Double other = right.getOrDefault(left.getKey(), right.get("scalar"));
                  double difference =
                      other == null ? Double.NaN : Math.signum(left.getValue() - other);
                  return switch (operator) {
                    case " > " -> difference != 1;
                    case " < " -> difference != -1;
                    default -> Math.abs(difference) != 1;
                  };
                });
        return all;
      }
    }
    List<String> factors = split(query, " * ");
    if (factors.size() > 1) {
      Map<String, Double> all = new TreeMap<>(value(factors.get(1), scrapes));
      all.replaceAll((label, value) -> Double.parseDouble(factors.get(0)) * value);
      return all;
    }
    if (query.matches("[0-9.]+")) {
      return Map.of("scalar", Double.parseDouble(query));
    }
    if (query.startsWith("absent(")) {
      String selector = query.substring("absent(".length(), query.length() - 1);
      return overTime(selector, scrapes).isEmpty() ? Map.of("absent", 1.0) : Map.of();
    }
    Matcher aggregate = AGGREGATE.matcher(query);
    if (!aggregate.matches()) {
      throw new AssertionError("an alert asks for '" + query + "'; teach this class to read it");
    }
    BinaryOperator<Double> operator =
        switch (aggregate.group(1)) {
          case "sum" -> Double::sum;
          case "max" -> Math::max;
          default -> Math::min;
        };
    Map<String, Double> all = new TreeMap<>();
    overTime(aggregate.group(3), scrapes)
        .forEach(
            (labels, value) ->
                all.merge(labels.getOrDefault(aggregate.group(2), ""), value, operator));
    return all;
  }

  /** Splits an expression at an operator that is not in parentheses. */
  private static List<String> split(String query, String operator) {
    int depth = 0;
    for (int i = 0; i < query.length(); i++) {
      depth += query.charAt(i) == '(' ? 1 : query.charAt(i) == ')' ? -1 : 0;
      if (depth == 0 && query.startsWith(operator, i)) {
        return List.of(query.substring(0, i), query.substring(i + operator.length()));
      }
    }
    return List.of(query);
  }

  private static Map<Map<String, String>, Double> overTime(String query, List<String> scrapes) {
    Matcher function = OVER_TIME.matcher(query);
    if (!function.matches()) {
      return select(query, scrapes.get(scrapes.size() - 1));
    }
    Map<Map<String, String>, List<Double>> samples = new HashMap<>();
    for (String scrape : scrapes) {
      select(function.group(2), scrape)
          .forEach(
              (labels, value) ->
                  samples.computeIfAbsent(labels, unseen -> new ArrayList<>()).add(value));
    }
    Map<Map<String, String>, Double> all = new HashMap<>();
    samples.forEach(
        (labels, values) ->
            all.put(
                labels,
                function.group(1).equals("changes")
                    ? changes(values)
                    : values.get(values.size() - 1) - values.get(0)));
    return all;
  }

  private static double changes(List<Double> values) {
    double changes = 0;
    for (int i = 1; i < values.size(); i++) {
      changes += values.get(i).equals(values.get(i - 1)) ? 0 : 1;
    }
    return changes;
  }

  private static Map<Map<String, String>, Double> select(String query, String scrape) {
    Matcher selector = SELECTOR.matcher(query);
    if (!selector.matches()) {
      throw new AssertionError("an alert selects '" + query + "'; teach this class to read it");
    }
    Map<Map<String, String>, Double> found = new HashMap<>();
    for (String line : scrape.lines().toList()) {
      Matcher series = SERIES.matcher(line);
      if (series.matches() && series.group(1).equals(selector.group(1))) {
        Map<String, String> labels = new TreeMap<>();
        LABEL
            .matcher(String.valueOf(series.group(2)))
            .results()
            .forEach(label -> labels.put(label.group(1), label.group(2)));
        String wanted = selector.group(4);
        String given = labels.getOrDefault(String.valueOf(selector.group(2)), "");
        if (wanted == null
            || (selector.group(3).equals("=") ? given.equals(wanted) : given.matches(wanted))) {
          found.put(labels, Double.parseDouble(series.group(3)));
        }
      }
    }
    return found;
  }
}
