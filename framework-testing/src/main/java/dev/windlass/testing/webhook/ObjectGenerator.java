// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.webhook;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.webhook.FieldTypes.Property;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.Quantity;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
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

  private static final List<String> TIMES =
      List.of("1970-01-01T00:00:00Z", "2026-01-02T03:04:05Z", "2033-05-18T03:33:20Z");

  private static final List<Object> ANY =
      List.of("any", "text", 7, 42, true, Map.of("any", 1), Map.of("any", 2));

  /** The values of types that are not written as numbers, lists or objects with known fields. */
  private static final Map<Class<?>, List<?>> VALUES =
      Map.ofEntries(
          entry(Object.class, ANY),
          entry(JsonNode.class, ANY),
          entry(
              String.class,
              List.of("", "a", "b", "some words", "x-1.example.com", "1", "true", "\u00e9\"\\\n")),
          entry(
              UUID.class,
              List.of(
                  "7f0d7c6a-0c6b-4f0e-9d5c-2f2f6b8b1a11", "00000000-0000-4000-8000-000000000000")),
          entry(Boolean.class, List.of(true, false)),
          entry(Character.class, List.of("a", "b", "z")),
          entry(byte[].class, List.of("", "AQID", "/+8=")),
          entry(URI.class, List.of("https://host-1/x", "https://host-2/x")),
          entry(Instant.class, TIMES),
          entry(Date.class, TIMES),
          entry(ZonedDateTime.class, TIMES),
          entry(OffsetDateTime.class, TIMES),
          entry(LocalDate.class, List.of("1970-01-01", "2026-01-02", "2052-02-20")),
          entry(Duration.class, List.of("PT0S", "PT10S", "PT27H46M40S")),
          entry(io.fabric8.kubernetes.api.model.Duration.class, List.of("0s", "10s", "27h46m40s")),
          entry(MicroTime.class, List.of("2026-01-02T03:04:05.000006Z")),
          entry(Quantity.class, List.of("0", "7", "250m", "3k", "10Mi", "9999Gi")),
          entry(IntOrString.class, List.of(0, 7, 99, "7%", "99%")));

  /**
   * The largest numbers of types that are smaller than the default, and can be represented exactly
   * by a double.
   */
  private static final Map<Class<?>, Double> LARGEST =
      Map.of(
          Byte.class, (double) Byte.MAX_VALUE,
          Short.class, (double) Short.MAX_VALUE,
          Integer.class, (double) Integer.MAX_VALUE,
          Float.class, (double) (1 << 20));

  private static final double LARGEST_DEFAULT = 1L << 52;

  private static final Set<Class<?>> FRACTIONS =
      Set.of(Float.class, Double.class, BigDecimal.class, Number.class);

  private final FieldTypes types;
  private final Class<? extends HasMetadata> version;
  private final Set<String> always;
  private final Map<String, Function<RandomGenerator, ?>> values;

  /** The random generator for the current object. */
  private RandomGenerator random = new Random(0);

  /** The fraction of the optional fields that the current object has, from 0 to 1. */
  private double fill;

  /** The names of the fields that must remain in each part of the current object. */
  private final IdentityHashMap<ObjectNode, Set<String>> required = new IdentityHashMap<>();

  /**
   * Creates a generator.
   *
   * @param always the paths of further fields that every object has
   * @param values the generators of values by path
   */
  ObjectGenerator(
      FieldTypes types,
      Class<? extends HasMetadata> version,
      Set<String> always,
      Map<String, Function<RandomGenerator, ?>> values) {
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
    required.clear();
    ResourceType type = ResourceType.of(version);
    ObjectNode object = NODES.objectNode();
    object.put("apiVersion", type.apiVersion()).put("kind", type.kind());
    object.set("metadata", metadata(type));
    required.put(object, new HashSet<>(FRAME));
    for (Property property : types.properties(types.type(version))) {
      if (!FRAME.contains(property.name())) {
        addField(object, property, property.name(), 0);
      }
    }
    return object;
  }

  /** Returns whether a part of the current object must have the given field. */
  boolean isRequired(ObjectNode part, String name) {
    return required.getOrDefault(part, Set.of()).contains(name);
  }

  private ObjectNode metadata(ResourceType type) {
    ObjectNode metadata = NODES.objectNode().put("name", "sample");
    if (type.namespaced()) {
      metadata.put("namespace", "default");
    }
    metadata.put("uid", "7f0d7c6a-0c6b-4f0e-9d5c-2f2f6b8b1a11").put("resourceVersion", "12");
    required.put(metadata, Set.of("name", "namespace", "uid", "resourceVersion"));
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

  private void addField(ObjectNode object, Property property, String path, int depth) {
    boolean isRequired = property.required() || always.contains(path);
    if (isRequired) {
      required.computeIfAbsent(object, part -> new HashSet<>()).add(property.name());
    }
    if (isRequired || (depth < MAX_DEPTH && isPresent())) {
      object.set(property.name(), value(property, property.type(), path, depth + 1));
    }
  }

  private JsonNode value(Property property, JavaType type, String path, int depth) {
    Function<RandomGenerator, ?> given = values.get(path);
    if (given != null) {
      return types.tree(given.apply(random));
    }
    Optional<JsonNode> scalar = scalar(type, property);
    if (scalar.isPresent()) {
      return scalar.get();
    } else if (type.isMapLikeType()) {
      ObjectNode map = NODES.objectNode();
      for (int i = size(); i > 0; i--) {
        JsonNode content = value(property, type.getContentType(), path + ".*", depth);
        map.set(key(type.getKeyType(), property), content);
      }
      return map;
    } else if (type.isCollectionLikeType() || type.isArrayType()) {
      ArrayNode list = NODES.arrayNode();
      for (int i = size(); i > 0; i--) {
        list.add(value(property, type.getContentType(), path + "[]", depth));
      }
      return list;
    } else if (!types.isBean(type)) {
      throw new IllegalStateException(
          "values of %s can't be generated for %s of %s: supply them with RoundTrips.values"
              .formatted(type.getRawClass().getName(), path, version.getName()));
    }
    ObjectNode object = NODES.objectNode();
    for (Property field : types.properties(type)) {
      addField(object, field, path + "." + field.name(), depth);
    }
    return object;
  }

  private int size() {
    return fill == 0 ? 0 : random.nextInt(3);
  }

  private String key(JavaType type, Property property) {
    return type.hasRawClass(String.class) || type.hasRawClass(Object.class)
        ? "key-" + random.nextInt(10)
        : scalar(type, property)
            .map(JsonNode::asText)
            .orElseThrow(() -> new IllegalStateException("a map with keys of " + type));
  }

  /** Generates a value of a type that is not written as a JSON object. */
  private Optional<JsonNode> scalar(JavaType type, Property property) {
    Class<?> boxed = MethodType.methodType(type.getRawClass()).wrap().returnType();
    if (type.isEnumType()) {
      return Optional.of(types.tree(oneOf(List.of(boxed.getEnumConstants()))));
    } else if (Number.class.isAssignableFrom(boxed)) {
      return Optional.of(types.tree(number(boxed, property), type));
    }
    List<?> known = VALUES.get(JsonNode.class.isAssignableFrom(boxed) ? JsonNode.class : boxed);
    return Optional.ofNullable(known).map(any -> types.tree(oneOf(any), type));
  }

  private <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private BigDecimal number(Class<?> type, Property property) {
    boolean whole = !FRACTIONS.contains(type);
    double largest = LARGEST.getOrDefault(type, LARGEST_DEFAULT);
    double least = Math.max(property.min(), -largest);
    double most = Math.min(property.max(), largest);
    double[] choices = {0, 1, -1, least, most, random.nextInt(100), random.nextLong() >> 14};
    double chosen = choices[random.nextInt(choices.length)] + (whole ? 0 : 0.5);
    double value = Math.min(Math.max(chosen, least), most);
    return new BigDecimal(whole ? Math.ceil(value) : value);
  }
}
