// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.webhook.conversion.Conversion;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Determines the fields of model classes, and converts between JSON and objects of these classes as
 * fabric8's client does, except that it never writes null, empty lists and empty maps. This class
 * is not thread-safe.
 */
final class FieldTypes {

  /** The package name of the annotations of fabric8's CRD generator, with a trailing dot. */
  private static final String GENERATOR_ANNOTATIONS = "io.fabric8.generator.annotation.";

  /**
   * A field of a model class.
   *
   * @param required whether every object must have the field
   * @param min the minimum that the schema specifies, or negative infinity
   * @param max the maximum that the schema specifies, or infinity
   */
  record Property(String name, JavaType type, boolean required, double min, double max) {}

  /** Equals the values that are not written. */
  static final class Empty {
    @Override
    public boolean equals(@Nullable Object value) {
      return value == null
          || (value instanceof Collection<?> list && list.isEmpty())
          || (value instanceof Map<?, ?> map && map.isEmpty())
          || (isList(value.getClass()) && Array.getLength(value) == 0);
    }

    /** Arrays of bytes and characters are written as strings. */
    private static boolean isList(Class<?> type) {
      return type.isArray() && type != byte[].class && type != char[].class;
    }

    @Override
    public int hashCode() {
      return 0;
    }
  }

  @SuppressWarnings("serial") // nobody serializes it
  private static final class WithoutEmpty extends JacksonAnnotationIntrospector {
    private static final JsonInclude.Value VALUE =
        JsonInclude.Value.construct(
            JsonInclude.Include.CUSTOM, JsonInclude.Include.CUSTOM, Empty.class, Empty.class);

    @Override
    public JsonInclude.Value findPropertyInclusion(Annotated annotated) {
      return VALUE;
    }
  }

  private final ObjectMapper json = new ObjectMapper();
  private final Map<JavaType, List<Property>> known = new HashMap<>();

  FieldTypes() {
    // The constructor configures the mapper in place, as it does for fabric8's own client.
    new KubernetesSerialization(json, false);
    json.setAnnotationIntrospector(new WithoutEmpty());
  }

  JavaType type(Class<?> of) {
    return json.constructType(of);
  }

  JsonNode tree(Object value) {
    return json.valueToTree(value);
  }

  /** Returns a value as JSON in the form in which the given type is written. */
  JsonNode tree(Object value, JavaType type) {
    return json.valueToTree(json.convertValue(value, type));
  }

  JsonNode parse(byte[] text) {
    try {
      return json.readTree(text);
    } catch (IOException e) {
      throw new IllegalStateException("a response is not JSON", e);
    }
  }

  /**
   * Decodes a JSON tree into an object of the given class.
   *
   * @throws AssertionError if the tree cannot be decoded
   */
  <T> T typed(JsonNode tree, Class<T> target) {
    try {
      return json.treeToValue(tree, target);
    } catch (IOException e) {
      String problem = "this object does not fit %s: %s%n%s";
      throw new AssertionError(
          problem.formatted(target.getName(), e.getMessage(), tree.toPrettyString()), e);
    }
  }

  /**
   * Decodes a JSON tree into an object of the given class and encodes this object again, without
   * {@link Conversion#HUB_ANNOTATION}.
   */
  ObjectNode canonical(ObjectNode tree, Class<?> target) {
    ObjectNode copy = tree.deepCopy();
    if (copy.path("metadata").path("annotations") instanceof ObjectNode annotations) {
      annotations.remove(Conversion.HUB_ANNOTATION);
    }
    return json.valueToTree(typed(copy, target));
  }

  /**
   * Returns whether values of the given type are JSON objects whose fields are those of the class.
   */
  boolean isBean(JavaType type) {
    JsonDeserialize custom = type.getRawClass().getAnnotation(JsonDeserialize.class);
    return !type.isContainerType()
        && !type.isEnumType()
        && type.isConcrete()
        && !type.getRawClass().getName().startsWith("java.")
        && (custom == null || custom.using() == JsonDeserializer.None.class)
        && !properties(type).isEmpty();
  }

  /** Returns the fields that can be set from JSON. */
  List<Property> properties(JavaType type) {
    List<Property> found = known.get(type);
    if (found == null) {
      found = new ArrayList<>();
      BeanDescription bean = json.getDeserializationConfig().introspect(type);
      for (BeanPropertyDefinition property : bean.findProperties()) {
        if (property.couldDeserialize() && property.getRawPrimaryType() != Void.class) {
          found.add(property(property));
        }
      }
      known.put(type, found);
    }
    return found;
  }

  private static Property property(BeanPropertyDefinition definition) {
    boolean required = definition.isRequired();
    double min = Double.NEGATIVE_INFINITY;
    double max = Double.POSITIVE_INFINITY;
    // Jackson merges the annotations of the field, the getter and the setter.
    for (Annotation annotation : definition.getMutator().getAllAnnotations().annotations()) {
      switch (annotation.annotationType().getName()) {
        case GENERATOR_ANNOTATIONS + "Required" -> required = true;
        case GENERATOR_ANNOTATIONS + "Min" -> min = value(annotation);
        case GENERATOR_ANNOTATIONS + "Max" -> max = value(annotation);
        default -> {}
      }
    }
    return new Property(definition.getName(), definition.getPrimaryType(), required, min, max);
  }

  /**
   * Returns the value of a minimum or maximum annotation. Uses reflection, because the annotation's
   * class is not on the class path of this module.
   */
  private static double value(Annotation annotation) {
    try {
      Object value = annotation.annotationType().getMethod("value").invoke(annotation);
      return ((Number) value).doubleValue();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(annotation + " has no value", e);
    }
  }
}
