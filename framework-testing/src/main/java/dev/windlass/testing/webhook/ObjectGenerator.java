// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.webhook;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.webhook.FieldTypes.Property;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Generates random objects of one version of a custom resource, as JSON. The objects have the
 * fields of the model class. Each optional field is present or absent at random.
 */
final class ObjectGenerator {

  /**
   * The nesting depth at which the generator stops adding optional fields. Without this limit, it
   * would never finish objects of recursive types.
   */
  private static final int MAX_DEPTH = 8;

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** The fields that the generator does not derive from the properties of the class. */
  private static final Set<String> FRAME = Set.of("apiVersion", "kind", "metadata");

  private final FieldTypes types;
  private final Class<? extends HasMetadata> version;
  private final Set<FieldPath> always;
  private final Map<FieldPath, Function<RandomGenerator, ?>> values;

  /** The random generator for the current object. */
  private RandomGenerator random = new Random(0);

  /** The fraction of the optional fields that the current object has, from 0 to 1. */
  private double fill;

  /** The paths of the required fields that have been generated so far. */
  private final Set<FieldPath> required = new HashSet<>();

  ObjectGenerator(
      FieldTypes types,
      Class<? extends HasMetadata> version,
      Set<FieldPath> always,
      Map<FieldPath, Function<RandomGenerator, ?>> values) {
    this.types = types;
    this.version = version;
    this.always = always;
    this.values = values;
  }

  /**
   * Generates an object.
   *
   * @param source the random generator
   * @param share the fraction of the optional fields that the object has: 0 for none, 1 for all
   */
  ObjectNode generate(RandomGenerator source, double share) {
    random = source;
    fill = share;
    ResourceType type = ResourceType.of(version);
    ObjectNode object = NODES.objectNode();
    object.put("apiVersion", type.apiVersion()).put("kind", type.kind());
    object.set("metadata", metadata(type));
    for (Property property : types.properties(types.type(version))) {
      if (!FRAME.contains(property.name())) {
        addField(object, property, FieldPath.ROOT, 0);
      }
    }
    return object;
  }

  /** Returns whether every object must have the field at the given path. */
  boolean isRequired(FieldPath path) {
    String first = path.steps().get(0);
    boolean optionalMetadata =
        path.steps().contains("labels") || path.steps().contains("annotations");
    return (FRAME.contains(first) && !optionalMetadata)
        || required.stream().anyMatch(path::matches);
  }

  private ObjectNode metadata(ResourceType type) {
    ObjectNode metadata = NODES.objectNode().put("name", "sample");
    if (type.namespaced()) {
      metadata.put("namespace", "default");
    }
    metadata.put("uid", "7f0d7c6a-0c6b-4f0e-9d5c-2f2f6b8b1a11").put("resourceVersion", "12");
    if (isPresent()) {
      metadata.putObject("labels").put("label", "one");
    }
    if (isPresent()) {
      metadata.putObject("annotations").put("annotation", "two");
    }
    return metadata;
  }

  private boolean isPresent() {
    return random.nextDouble() < fill;
  }

  private void addField(ObjectNode object, Property property, FieldPath parent, int depth) {
    FieldPath path = parent.then(property.name());
    boolean isRequired = property.required() || always.contains(path);
    if (isRequired) {
      required.add(path);
    }
    if (isRequired || (depth < MAX_DEPTH && isPresent())) {
      object.set(property.name(), value(property, property.type(), path, depth + 1));
    }
  }

  private JsonNode value(Property property, JavaType type, FieldPath path, int depth) {
    Function<RandomGenerator, ?> given = values.get(path);
    if (given != null) {
      return types.tree(given.apply(random));
    }
    Class<?> raw = type.getRawClass();
    Optional<Object> scalar = ScalarValues.of(raw, random, property.min(), property.max());
    if (scalar.isPresent()) {
      return types.tree(scalar.get());
    } else if (type.isMapLikeType()) {
      return map(property, type, path, depth);
    } else if (type.isCollectionLikeType() || type.isArrayType()) {
      return list(property, type, path, depth);
    } else if (raw == Object.class || JsonNode.class.isAssignableFrom(raw)) {
      return anything();
    } else if (!types.isBean(type)) {
      throw new IllegalStateException(
          "values of "
              + raw.getName()
              + " can't be generated for "
              + path
              + " of "
              + version.getName()
              + ": supply them with RoundTrips.values");
    }
    ObjectNode object = NODES.objectNode();
    for (Property field : types.properties(type)) {
      addField(object, field, path, depth);
    }
    return object;
  }

  private int size() {
    return fill == 0 ? 0 : random.nextInt(3);
  }

  private JsonNode list(Property property, JavaType type, FieldPath path, int depth) {
    ArrayNode list = NODES.arrayNode();
    boolean distinct = Set.class.isAssignableFrom(type.getRawClass());
    for (int i = size(); i > 0; i--) {
      FieldPath element = path.then(FieldPath.ELEMENTS);
      JsonNode value = value(property, type.getContentType(), element, depth);
      if (!distinct || !List.copyOf(children(list)).contains(value)) {
        list.add(value);
      }
    }
    return list;
  }

  private static List<JsonNode> children(ArrayNode list) {
    return list.valueStream().toList();
  }

  private JsonNode map(Property property, JavaType type, FieldPath path, int depth) {
    ObjectNode map = NODES.objectNode();
    for (int i = size(); i > 0; i--) {
      FieldPath content = path.then(FieldPath.VALUES);
      map.set(key(type.getKeyType()), value(property, type.getContentType(), content, depth));
    }
    return map;
  }

  private String key(JavaType type) {
    return type.hasRawClass(String.class) || type.hasRawClass(Object.class)
        ? "key-" + random.nextInt(10)
        : ScalarValues.of(type.getRawClass(), random, Optional.empty(), Optional.empty())
            .map(key -> types.tree(key).asText())
            .orElseThrow(() -> new IllegalStateException("a map with keys of " + type));
  }

  /** Generates a value for a field that accepts any JSON. */
  private JsonNode anything() {
    return switch (random.nextInt(4)) {
      case 0 -> NODES.textNode("any");
      case 1 -> NODES.numberNode(random.nextInt(100));
      case 2 -> NODES.booleanNode(true);
      default -> NODES.objectNode().put("any", random.nextInt(100));
    };
  }
}
