// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven.crd;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Compares an earlier and a later schema. Reports the values that the later schema no longer
 * permits, and the fields that it no longer contains.
 */
final class SchemaDiff {

  private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
  private static final String INT_OR_STRING = "x-kubernetes-int-or-string";
  private static final String LIST_TYPE = "x-kubernetes-list-type";
  private static final String RULES = "x-kubernetes-validations";

  private static final List<String> LOWER_BOUNDS =
      List.of("minimum", "minLength", "minItems", "minProperties");
  private static final List<String> UPPER_BOUNDS =
      List.of("maximum", "maxLength", "maxItems", "maxProperties");

  /** The keywords that restrict values if they are true. */
  private static final List<String> RESTRICTIONS =
      List.of(
          "exclusiveMinimum", "exclusiveMaximum", "uniqueItems", "x-kubernetes-embedded-resource");

  /**
   * The keywords whose restrictions cannot be compared. Each new value of such a keyword is
   * reported.
   */
  private static final List<String> CONDITIONS =
      List.of("pattern", "multipleOf", "not", "allOf", "anyOf", "oneOf");

  private final String subject;
  private final Consumer<BreakingChange> changes;
  private final Consumer<BreakingChange> warnings;

  /**
   * Creates a comparison.
   *
   * @param subject the CRD and its version, which precede the path of a field in {@link
   *     BreakingChange#subject}
   * @param changes the consumer of the breaking changes
   * @param warnings the consumer of changes that break only if a class has changed as well
   */
  SchemaDiff(String subject, Consumer<BreakingChange> changes, Consumer<BreakingChange> warnings) {
    this.subject = subject;
    this.changes = changes;
    this.warnings = warnings;
  }

  private void report(String path, String what) {
    changes.accept(change(path, what));
  }

  private BreakingChange change(String path, String what) {
    return new BreakingChange(subject + " " + (path.isEmpty() ? "the object" : path), what);
  }

  /**
   * Compares the schemas of a field and of all fields below it.
   *
   * @param path the path of the field; empty for the whole object
   */
  void compare(String path, JsonNode before, JsonNode after) {
    compareTypes(path, before, after);
    compareBounds(path, before, after);
    compareEnums(path, before, after);
    compareConditions(path, before, after);
    compareRules(path, before, after);
    compareLists(path, before, after);
    compareFields(path, before, after);
  }

  private void compareTypes(String path, JsonNode before, JsonNode after) {
    String earlier = type(before);
    String later = type(after);
    boolean isWider =
        later.isEmpty()
            || (earlier.equals("integer") && later.equals("number"))
            || (later.equals("integer or string") && Set.of("integer", "string").contains(earlier));
    if (!earlier.equals(later) && !isWider) {
      report(
          path, "has the type " + later + " instead of " + (earlier.isEmpty() ? "any" : earlier));
    }
    if (before.path("nullable").asBoolean() && !after.path("nullable").asBoolean()) {
      report(path, "no longer accepts null");
    }
  }

  private static String type(JsonNode schema) {
    return schema.path(INT_OR_STRING).asBoolean()
        ? "integer or string"
        : schema.path("type").asText();
  }

  private void compareBounds(String path, JsonNode before, JsonNode after) {
    for (String bound : LOWER_BOUNDS) {
      if (after.has(bound)
          && !(before.has(bound) && before.get(bound).asDouble() >= after.get(bound).asDouble())) {
        report(path, "has the " + bound + " " + number(after, bound) + was(before, bound));
      }
    }
    for (String bound : UPPER_BOUNDS) {
      if (after.has(bound)
          && !(before.has(bound) && before.get(bound).asDouble() <= after.get(bound).asDouble())) {
        report(path, "has the " + bound + " " + number(after, bound) + was(before, bound));
      }
    }
  }

  private static String was(JsonNode before, String key) {
    return before.has(key) ? " instead of " + number(before, key) : ", and had none";
  }

  /**
   * Returns a bound without trailing zeros, because the CRD generator writes {@code 5} as {@code
   * 5.0}.
   */
  private static String number(JsonNode schema, String key) {
    BigDecimal number = schema.get(key).decimalValue();
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  private void compareEnums(String path, JsonNode before, JsonNode after) {
    if (!after.has("enum")) {
      return;
    }
    if (!before.has("enum")) {
      report(path, "accepts only " + after.get("enum") + " now");
      return;
    }
    Set<JsonNode> lost = elements(before.get("enum"));
    lost.removeAll(elements(after.get("enum")));
    if (!lost.isEmpty()) {
      report(path, "no longer accepts " + lost);
    }
  }

  private void compareConditions(String path, JsonNode before, JsonNode after) {
    for (String restriction : RESTRICTIONS) {
      if (after.path(restriction).asBoolean() && !before.path(restriction).asBoolean()) {
        report(path, "has the new restriction " + restriction);
      }
    }
    CONDITIONS.forEach(condition -> compareCondition(path, condition, before, after));
    compareFormats(path, before, after);
  }

  private void compareCondition(String path, String condition, JsonNode before, JsonNode after) {
    if (after.has(condition) && !after.get(condition).equals(before.get(condition))) {
      report(
          path,
          before.has(condition)
              ? "has another " + condition + ": " + after.get(condition)
              : "has the new restriction " + condition + ": " + after.get(condition));
    }
  }

  /**
   * Compares the formats of values of the same type. Every integer of a custom resource fits into
   * 64 bits. Before version 8, fabric8's CRD generator wrote no format for integers, so a new
   * {@code int32} restricts a field only if it was a {@code long} before.
   */
  private void compareFormats(String path, JsonNode before, JsonNode after) {
    String later = after.path("format").asText();
    if (!type(before).equals(type(after)) || later.equals("int64")) {
      return;
    }
    if (later.equals("int32") && !before.has("format")) {
      warnings.accept(
          change(
              path,
              "has the new format int32, so API servers from Kubernetes 1.36 on reject larger"
                  + " values. This breaks nothing if the field is still an int"));
    } else {
      compareCondition(path, "format", before, after);
    }
  }

  private void compareRules(String path, JsonNode before, JsonNode after) {
    Set<String> earlier = new LinkedHashSet<>();
    before.path(RULES).forEach(rule -> earlier.add(rule.path("rule").asText()));
    for (JsonNode rule : after.path(RULES)) {
      String text = rule.path("rule").asText();
      if (!earlier.contains(text)) {
        report(path, "has the new rule " + text);
      }
    }
  }

  private void compareLists(String path, JsonNode before, JsonNode after) {
    String later = after.path(LIST_TYPE).asText("atomic");
    String keys = "x-kubernetes-list-map-keys";
    boolean isSame =
        later.equals(before.path(LIST_TYPE).asText("atomic"))
            && elements(after.path(keys)).equals(elements(before.path(keys)));
    if (!later.equals("atomic") && !isSame) {
      report(path, "requires unique " + (later.equals("map") ? "keys" : "elements") + " now");
    }
    if (before.has("items") && after.has("items")) {
      compare(path + "[]", before.get("items"), after.get("items"));
    }
  }

  private void compareFields(String path, JsonNode before, JsonNode after) {
    boolean keepsUnknown = after.path(PRESERVE).asBoolean();
    JsonNode additional = after.path("additionalProperties");
    if (before.path(PRESERVE).asBoolean() && !keepsUnknown) {
      report(path, "no longer keeps unknown fields");
    }
    if (before.has("additionalProperties") && !keepsUnknown) {
      if (additional.isMissingNode() || (additional.isBoolean() && !additional.asBoolean())) {
        report(path, "no longer keeps other keys");
      } else {
        compare(path + "[*]", before.get("additionalProperties"), additional);
      }
    }
    before
        .path("properties")
        .properties()
        .forEach(
            field -> {
              String below = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
              JsonNode later = after.path("properties").path(field.getKey());
              if (!later.isMissingNode()) {
                compare(below, field.getValue(), later);
              } else if (!additional.isMissingNode()) {
                compare(below, field.getValue(), additional);
              } else if (!keepsUnknown) {
                report(below, "was removed");
              }
            });
    Set<JsonNode> required = elements(after.path("required"));
    required.removeAll(elements(before.path("required")));
    for (JsonNode name : required) {
      if (!after.path("properties").path(name.asText()).has("default")) {
        report(path.isEmpty() ? name.asText() : path + "." + name.asText(), "became required");
      }
    }
  }

  private static Set<JsonNode> elements(JsonNode array) {
    Set<JsonNode> elements = new LinkedHashSet<>();
    array.forEach(elements::add);
    return elements;
  }
}
