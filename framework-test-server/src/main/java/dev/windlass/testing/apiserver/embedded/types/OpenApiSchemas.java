// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The schemas in the OpenAPI document for one group version. {@code kubectl explain} prints them.
 * The schema of a custom resource comes from its definition. The schemas of built-in kinds are
 * derived from fabric8's classes, which contain no descriptions. Instances are not thread-safe.
 */
final class OpenApiSchemas {
  private static final String MODELS = "io.fabric8.kubernetes.api.model.";
  private static final String CONVENTIONS =
      "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#";
  private static final String API_VERSION =
      "APIVersion defines the versioned schema of this representation of an object. Servers should"
          + " convert recognized schemas to the latest internal value, and may reject unrecognized"
          + " values. More info: "
          + CONVENTIONS
          + "resources";
  private static final String KIND =
      "Kind is a string value representing the REST resource this object represents. Servers may"
          + " infer this from the endpoint the client submits requests to. Cannot be updated. In"
          + " CamelCase. More info: "
          + CONVENTIONS
          + "types-kinds";
  private static final String METADATA =
      "Standard object's metadata. More info: " + CONVENTIONS + "metadata";

  /** The classes whose values can be numbers or strings, such as {@code 50%} and {@code 100m}. */
  private static final Set<String> TEXTS_OR_NUMBERS = Set.of("IntOrString", "Quantity");

  private final Map<String, ObjectNode> byName = new TreeMap<>();

  /** Adds the schema of a type, and all schemas to which it refers. */
  void add(ResourceType type) {
    ObjectNode schema = type.schema() == null ? builtIn(type) : custom(type, type.schema());
    schema
        .putArray("x-kubernetes-group-version-kind")
        .addObject()
        .put("group", type.group())
        .put("version", type.version())
        .put("kind", type.kind());
  }

  /** Returns the schemas by their names. */
  ObjectNode all() {
    ObjectNode all = Json.object();
    byName.forEach(all::set);
    return all;
  }

  private ObjectNode custom(ResourceType type, ObjectNode declared) {
    ObjectNode schema = declared.deepCopy();
    ObjectNode fields = schema.withObject("/properties");
    fields.putObject("apiVersion").put("type", "string").put("description", API_VERSION);
    fields.putObject("kind").put("type", "string").put("description", KIND);
    ObjectNode metadata = value(ModelFields.type(ObjectMeta.class));
    fields.set("metadata", metadata.put("description", METADATA));
    byName.put(type.group() + "." + type.version() + "." + type.kind(), schema);
    return schema;
  }

  private ObjectNode builtIn(ResourceType type) {
    return object(ModelFields.type(type.model()));
  }

  /**
   * Returns the schema of a class that declares fields. Creates the schema if this is the first
   * call for the class.
   */
  private ObjectNode object(JavaType type) {
    String name = name(type);
    ObjectNode known = byName.get(name);
    if (known != null) {
      return known;
    }
    ObjectNode schema = Json.object().put("type", "object");
    byName.put(name, schema); // must precede its fields, which can refer to it
    ObjectNode fields = schema.putObject("properties");
    ModelFields.fields(type).forEach((field, content) -> fields.set(field, value(content)));
    return schema;
  }

  private ObjectNode value(JavaType type) {
    ObjectNode schema = Json.object();
    if (type.isCollectionLikeType()) {
      schema.put("type", "array").set("items", value(type.getContentType()));
    } else if (type.isMapLikeType()) {
      schema.put("type", "object").set("additionalProperties", value(type.getContentType()));
    } else if (!ModelFields.fields(type).isEmpty()) {
      object(type);
      refer(schema, type);
    } else if (TEXTS_OR_NUMBERS.contains(type.getRawClass().getSimpleName())) {
      byName
          .computeIfAbsent(name(type), name -> Json.object())
          .withArray("/oneOf")
          .removeAll()
          .add(Json.object().put("type", "string"))
          .add(Json.object().put("type", "number"));
      refer(schema, type);
    } else {
      schema.put("type", scalar(type.getRawClass()));
    }
    return schema;
  }

  private static void refer(ObjectNode schema, JavaType type) {
    schema.putArray("allOf").addObject().put("$ref", "#/components/schemas/" + name(type));
  }

  private static String scalar(Class<?> type) {
    if (type == Integer.class || type == Long.class || type == int.class || type == long.class) {
      return "integer";
    } else if (Number.class.isAssignableFrom(type)) {
      return "number";
    } else if (type == Boolean.class || type == boolean.class) {
      return "boolean";
    }
    boolean text = type == String.class || type.getSimpleName().endsWith("Time");
    return text ? "string" : "object";
  }

  private static String name(JavaType type) {
    return "io.k8s." + type.getRawClass().getName().replace(MODELS, "").replace('$', '.');
  }
}
