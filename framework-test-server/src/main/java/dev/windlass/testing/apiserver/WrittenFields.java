// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.schema.SchemaValidation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Checks that the CRD of a class accepts what the client writes for its fields. For some types of
 * the JDK, such as {@link Duration}, the CRD generator derives a schema that rejects every value.
 */
final class WrittenFields {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** A value of each type that the client does not write as an object. */
  private static final Map<Class<?>, Object> SAMPLES =
      Map.of(
          Duration.class,
          Duration.ofMinutes(90),
          Instant.class,
          Instant.EPOCH,
          LocalDate.class,
          LocalDate.EPOCH,
          LocalDateTime.class,
          LocalDateTime.of(2000, 1, 1, 0, 0),
          OffsetDateTime.class,
          OffsetDateTime.of(2000, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC),
          UUID.class,
          new UUID(0, 0),
          byte[].class,
          new byte[] {1},
          Optional.class,
          Optional.of("x"));

  private final List<String> problems = new ArrayList<>();

  /** The classes that contain the current field, because a class can contain itself. */
  private final Set<Class<?>> above = new HashSet<>();

  private WrittenFields() {}

  /**
   * Checks the fields of a class.
   *
   * @throws IllegalArgumentException if the CRD rejects the values of a field; the message names
   *     the field and its type
   */
  static void check(Class<? extends CustomResource<?, ?>> type, CustomResourceDefinition crd) {
    String version = HasMetadata.getVersion(type);
    JsonNode versions = MAPPER.valueToTree(crd.getSpec().getVersions());
    for (JsonNode served : versions) {
      if (served.path("name").asText().equals(version)) {
        JsonNode schema = served.path("schema").path("openAPIV3Schema");
        WrittenFields fields = new WrittenFields();
        fields.walk(MAPPER.constructType(type), schema, "");
        if (!fields.problems.isEmpty()) {
          throw new IllegalArgumentException(
              "the generated CRD of %s does not fit its fields (docs/guides/crds.md, \"Java types\"): %s"
                  .formatted(type.getName(), String.join("; ", fields.problems)));
        }
      }
    }
  }

  private void walk(JavaType type, JsonNode schema, String path) {
    Object sample = SAMPLES.get(type.getRawClass());
    if (sample != null) {
      check(type.getRawClass(), sample, schema, path);
    } else if (type.isMapLikeType()) {
      walk(type.getContentType(), schema.path("additionalProperties"), path + ".*");
    } else if (type.isContainerType()) {
      walk(type.getContentType(), schema.path("items"), path + "[]");
    } else if (schema.has("properties") && above.add(type.getRawClass())) {
      for (BeanPropertyDefinition field :
          MAPPER.getSerializationConfig().introspect(type).findProperties()) {
        JsonNode property = schema.path("properties").path(field.getName());
        if (property.isObject() && !hasOwnForm(field)) {
          String place = path.isEmpty() ? field.getName() : path + "." + field.getName();
          walk(field.getPrimaryType(), property, place);
        }
      }
      above.remove(type.getRawClass());
    }
  }

  /** Returns whether annotations determine how the client writes a field. */
  private static boolean hasOwnForm(BeanPropertyDefinition field) {
    return field.getPrimaryMember().hasAnnotation(JsonFormat.class)
        || field.getPrimaryMember().hasAnnotation(JsonSerialize.class);
  }

  private void check(Class<?> type, Object sample, JsonNode schema, String path) {
    String field = path + " (" + type.getSimpleName() + ")";
    String written;
    try {
      written = Serialization.asJson(sample);
    } catch (RuntimeException e) {
      problems.add(field + ": the client cannot write this type; use another one");
      return;
    }
    ObjectNode object = MAPPER.createObjectNode();
    object.set("value", Serialization.unmarshal(written, JsonNode.class));
    ObjectNode outer = MAPPER.createObjectNode();
    outer.putObject("properties").set("value", schema);
    if (SchemaValidation.validate(outer, object).stream()
        .anyMatch(error -> error.type() == FieldError.Type.TYPE_INVALID)) {
      String annotation =
          type.isArray()
              ? "@SchemaFrom(type = String.class)"
              : "@JsonSerialize(using = ToStringSerializer.class)";
      problems.add(
          field + ": the schema rejects what the client writes; add the annotation " + annotation);
    }
  }
}
