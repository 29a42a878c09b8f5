// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.registration;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Evaluates label selectors for objects whose labels may be known only in part. */
final class SelectorOutcome {

  private SelectorOutcome() {}

  /**
   * Returns whether the known labels are sufficient to determine that the selector does not match
   * the object.
   *
   * @param selector the selector; empty matches every object
   * @param known the labels that the object is known to have
   * @param complete whether {@code known} contains all labels of the object
   */
  static boolean excludes(
      Optional<LabelSelector> selector, Map<String, String> known, boolean complete) {
    if (selector.isEmpty()) {
      return false;
    }
    Map<String, String> labels = selector.get().getMatchLabels();
    List<LabelSelectorRequirement> expressions = selector.get().getMatchExpressions();
    boolean byLabels =
        labels != null
            && labels.entrySet().stream()
                .anyMatch(
                    label ->
                        isKnown(label.getKey(), known, complete)
                            && !label.getValue().equals(known.get(label.getKey())));
    return byLabels
        || (expressions != null
            && expressions.stream()
                .anyMatch(
                    expression ->
                        isKnown(expression.getKey(), known, complete)
                            && !matches(expression, known.get(expression.getKey()))));
  }

  private static boolean isKnown(String key, Map<String, String> known, boolean complete) {
    return complete || known.containsKey(key);
  }

  private static boolean matches(LabelSelectorRequirement requirement, @Nullable String value) {
    List<String> values = Objects.requireNonNullElse(requirement.getValues(), List.of());
    return switch (requirement.getOperator()) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> true; // the API server rejects the selector
    };
  }
}
