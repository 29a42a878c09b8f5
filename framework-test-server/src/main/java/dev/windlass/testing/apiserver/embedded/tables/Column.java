// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.tables;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A column of a table.
 *
 * @param name the column's header
 * @param type the type in the column definition that clients receive
 * @param priority 0 for a column that is always shown, and a positive number for a column that only
 *     {@code -o wide} shows
 * @param age whether cells show the duration since a time instead of the time itself
 * @param cell the function that returns the value of an object's cell
 */
record Column(
    String name, String type, int priority, boolean age, Function<JsonNode, JsonNode> cell) {

  static final Column NAME = text("Name", "metadata.name");
  static final Column AGE =
      new Column("Age", "string", 0, true, path(".metadata.creationTimestamp"));

  /** The age column of custom resources whose CRD specifies no columns. */
  static final Column CUSTOM_AGE = new Column("Age", "date", 0, true, AGE.cell());

  private static final Column CREATED_AT =
      new Column("Created At", "date", 0, false, path(".metadata.creationTimestamp"));

  /**
   * The columns of built-in resources, by resource. A built-in resource without an entry has only a
   * name and an age.
   */
  private static final Map<String, List<Column>> BUILT_IN =
      Map.ofEntries(
          Map.entry("configmaps", List.of(NAME, count("Data", "data", "binaryData"), AGE)),
          Map.entry("secrets", List.of(NAME, text("Type", "type"), count("Data", "data"), AGE)),
          Map.entry("namespaces", List.of(NAME, text("Status", "status.phase"), AGE)),
          Map.entry("serviceaccounts", List.of(NAME, count("Secrets", "secrets"), AGE)),
          Map.entry(
              "leases.coordination.k8s.io",
              List.of(NAME, text("Holder", "spec.holderIdentity"), AGE)),
          Map.entry("roles.rbac.authorization.k8s.io", List.of(NAME, CREATED_AT)),
          Map.entry("clusterroles.rbac.authorization.k8s.io", List.of(NAME, CREATED_AT)),
          Map.entry("customresourcedefinitions.apiextensions.k8s.io", List.of(NAME, CREATED_AT)),
          Map.entry(
              "deployments.apps",
              List.of(
                  NAME,
                  new Column("Ready", "string", 0, false, Column::ready),
                  number("Up-to-date", "status.updatedReplicas"),
                  number("Available", "status.availableReplicas"),
                  AGE,
                  containers("Containers", "name"),
                  containers("Images", "image"),
                  new Column("Selector", "string", 1, false, Column::selector))));

  /** Returns the columns of a built-in resource. */
  static List<Column> builtIn(String resource) {
    return BUILT_IN.getOrDefault(resource, List.of(NAME, AGE));
  }

  /** Converts an entry of a custom resource's {@code additionalPrinterColumns} to a column. */
  static Column custom(JsonNode column) {
    return new Column(
        column.path("name").asText(),
        column.path("type").asText(),
        column.path("priority").asInt(),
        column.path("type").asText().equals("date"),
        path(column.path("jsonPath").asText()));
  }

  private static Column text(String name, String path) {
    return new Column(name, "string", 0, false, path("." + path));
  }

  private static Column number(String name, String path) {
    return new Column(
        name,
        "string",
        0,
        false,
        object -> IntNode.valueOf(path("." + path).apply(object).asInt()));
  }

  private static Column count(String name, String... fields) {
    return new Column(
        name,
        "string",
        0,
        false,
        object -> {
          int count = 0;
          for (String field : fields) {
            count += object.path(field).size();
          }
          return IntNode.valueOf(count);
        });
  }

  private static Column containers(String name, String field) {
    return new Column(
        name,
        "string",
        1,
        false,
        object -> joined(object, ".spec.template.spec.containers[*]." + field, ","));
  }

  private static JsonNode ready(JsonNode deployment) {
    return TextNode.valueOf(
        deployment.path("status").path("readyReplicas").asInt()
            + "/"
            + deployment.path("spec").path("replicas").asInt());
  }

  private static JsonNode selector(JsonNode deployment) {
    return TextNode.valueOf(
        deployment.path("spec").path("selector").path("matchLabels").properties().stream()
            .map(label -> label.getKey() + "=" + label.getValue().asText())
            .sorted()
            .collect(Collectors.joining(",")));
  }

  private static JsonNode joined(JsonNode object, String path, String separator) {
    return TextNode.valueOf(
        JsonPath.find(object, path).stream()
            .map(JsonNode::asText)
            .collect(Collectors.joining(separator)));
  }

  /** Returns a function that returns the first value at a path, or a JSON null if there is none. */
  private static Function<JsonNode, JsonNode> path(String path) {
    return object -> {
      List<JsonNode> found = JsonPath.find(object, path);
      return found.isEmpty() ? NullNode.getInstance() : found.get(0);
    };
  }
}
