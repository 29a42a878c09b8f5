// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Completes a generated CRD with settings for which the CRD generator has no annotations.
 *
 * <p>In each version, the items of {@code status.conditions} receive the restrictions of {@code
 * meta/v1 Condition}. The list receives the type {@code map} and the key {@code type}, so that
 * server-side apply merges each condition separately. The printer column for the age is moved to
 * the end, as in built-in types. (The generator sorts the columns by path.)
 *
 * <p>Keywords that the CRD already contains are not replaced. This operation is idempotent.
 */
public final class CrdFinish {

  private static final String AGE = ".metadata.creationTimestamp";

  private final List<String> required;

  /**
   * Creates an instance.
   *
   * @param required the fields that each condition must have; fields that the CRD does not declare
   *     are ignored
   */
  public CrdFinish(List<String> required) {
    this.required = List.copyOf(required);
  }

  /** Finishes a CRD, and returns whether the CRD has changed. */
  public boolean apply(ObjectNode definition) {
    JsonNode before = definition.deepCopy();
    for (JsonNode version : definition.at("/spec/versions")) {
      moveAge(version.path("additionalPrinterColumns"));
      JsonNode conditions =
          version.at("/schema/openAPIV3Schema/properties/status/properties/conditions");
      if (conditions.at("/items/properties/type").isObject()) {
        declareMap((ObjectNode) conditions);
        ObjectNode condition = (ObjectNode) conditions.path("items");
        ConditionSchema.addTo((ObjectNode) condition.path("properties"));
        require(condition);
      }
    }
    return !definition.equals(before);
  }

  private static void moveAge(JsonNode columns) {
    List<JsonNode> sorted = new ArrayList<>();
    List<JsonNode> ages = new ArrayList<>();
    columns.forEach(
        column -> (column.path("jsonPath").asText().equals(AGE) ? ages : sorted).add(column));
    if (!ages.isEmpty()) {
      sorted.addAll(ages);
      ((ArrayNode) columns).removeAll().addAll(sorted);
    }
  }

  private static void declareMap(ObjectNode list) {
    if (!list.has("x-kubernetes-list-type")) {
      list.putArray("x-kubernetes-list-map-keys").add("type");
      list.put("x-kubernetes-list-type", "map");
    }
  }

  private void require(ObjectNode condition) {
    if (!condition.has("required")) {
      ArrayNode names = condition.putArray("required");
      required.stream().filter(condition.path("properties")::has).forEach(names::add);
    }
  }
}
