// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds to a generated CRD what no annotation of the CRD generator expresses.
 *
 * <p>In each version, {@code status.conditions} gets the schema of {@code meta/v1 Condition}, and
 * becomes a map with the type as its key, so that server-side apply merges the conditions one by
 * one. The printer column with the age moves to the end, where {@code kubectl} shows it for
 * built-in types; the generator sorts columns by their paths. Keywords that the CRD contains stay
 * as they are, so finishing a finished CRD changes nothing.
 */
public final class CrdFinish {

  private static final String AGE = ".metadata.creationTimestamp";

  private final List<String> required;

  /**
   * Creates a finish.
   *
   * @param required the fields that each condition must have, of those that the CRD declares
   */
  public CrdFinish(List<String> required) {
    this.required = List.copyOf(required);
  }

  /** Finishes a CRD, and returns whether this has changed it. */
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
