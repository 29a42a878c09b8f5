// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven.crd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

/**
 * The restrictions on the fields of a condition. They are the same as those of Kubernetes' {@code
 * meta/v1 Condition} ({@code apimachinery/pkg/apis/meta/v1/types.go}).
 */
final class ConditionSchema {

  private static final JsonNode FIELDS =
      parsed(
          """
          lastTransitionTime: {format: date-time}
          message: {maxLength: 32768}
          observedGeneration: {format: int64, minimum: 0}
          reason:
            minLength: 1
            maxLength: 1024
            pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$'
          status: {enum: ['True', 'False', Unknown]}
          type:
            maxLength: 316
            pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$'
          """);

  private ConditionSchema() {}

  /**
   * Adds the restrictions to the schemas of the given fields. Does not replace keywords that a
   * schema already contains.
   */
  static void addTo(ObjectNode fields) {
    fields
        .properties()
        .forEach(
            field ->
                FIELDS
                    .path(field.getKey())
                    .properties()
                    .forEach(
                        keyword ->
                            ((ObjectNode) field.getValue())
                                .putIfAbsent(keyword.getKey(), keyword.getValue())));
  }

  private static JsonNode parsed(String yaml) {
    try {
      return new YAMLMapper().readTree(yaml);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
