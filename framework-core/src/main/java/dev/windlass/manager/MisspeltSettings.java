// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.logging.OneLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Finds names that have the prefix of Windlass's settings but are not settings. Without this check,
 * leader election could remain disabled because of a typing error, and several replicas could write
 * without any warning. This class is stateless.
 */
final class MisspeltSettings {

  /** The variables that the command line reads; see {@code framework-cli}. */
  private static final List<String> OF_THE_LOG =
      List.of("WINDLASS_LOG_LEVEL", "WINDLASS_LOG_TRACES");

  /** The number of letters by which a name may differ from the setting that a sentence suggests. */
  private static final int NEAR = 4;

  private MisspeltSettings() {}

  /** Returns a sentence for each unknown name in this process's environment and properties. */
  static List<String> ofProcess() {
    return of(System.getenv().keySet(), System.getProperties().stringPropertyNames());
  }

  /**
   * Returns a sentence for each unknown name. The sentence suggests a similar setting, if there is
   * one.
   *
   * @param variables the names of the environment variables
   * @param properties the names of the system properties
   */
  static List<String> of(Set<String> variables, Set<String> properties) {
    List<String> known = new ArrayList<>(names(Setting::variable));
    known.addAll(OF_THE_LOG);
    return Stream.concat(
            unknown("The variable ", "WINDLASS_", variables, known),
            unknown("The system property ", "windlass.", properties, names(Setting::property)))
        .sorted()
        .toList();
  }

  private static List<String> names(Function<Setting, String> name) {
    return Stream.of(Setting.values()).map(name).toList();
  }

  private static Stream<String> unknown(
      String kind, String prefix, Set<String> given, List<String> known) {
    return given.stream()
        .filter(name -> name.startsWith(prefix) && !name.startsWith("windlass.log."))
        .filter(name -> !known.contains(name))
        .map(
            name ->
                kind
                    + OneLine.of(name, 100)
                    + " is not a Windlass setting and has no effect"
                    + nearest(name, known).map(near -> "; did you mean " + near + "?").orElse(""));
  }

  private static Optional<String> nearest(String name, List<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(each -> distance(name, each)))
        .filter(each -> distance(name, each) <= NEAR);
  }

  /**
   * Returns the number of letters that must be added, removed or replaced to turn one name into the
   * other, ignoring case. This is the Levenshtein distance, computed row by row.
   */
  private static int distance(String one, String other) {
    String a = one.toLowerCase(Locale.ROOT);
    String b = other.toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
