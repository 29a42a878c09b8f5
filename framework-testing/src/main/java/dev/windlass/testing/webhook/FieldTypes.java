// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.webhook;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Determines the fields of model classes, and converts between JSON and objects of these classes.
 * The JSON mapper has the same configuration as that of fabric8's client. This class is not
 * thread-safe.
 */
final class FieldTypes {

  /** The package name of the annotations of fabric8's CRD generator, with a trailing dot. */
  private static final String GENERATOR_ANNOTATIONS = "io.fabric8.generator.annotation.";

  /**
   * A field of a model class.
   *
   * @param name the field's name in JSON
   * @param type the type of the field's value
   * @param required whether every object must have the field
   * @param min the minimum that the schema specifies, if any
   * @param max the maximum that the schema specifies, if any
   */
  record Property(
      String name, JavaType type, boolean required, Optional<Double> min, Optional<Double> max) {}

  private final ObjectMapper json = new ObjectMapper();
  private final Map<JavaType, List<Property>> known = new HashMap<>();

  FieldTypes() {
    // The constructor configures the mapper in place, as it does for fabric8's own client.
    new KubernetesSerialization(json, false);
  }

  JavaType type(Class<?> of) {
    return json.constructType(of);
  }

  JsonNode tree(Object value) {
    return json.valueToTree(value);
  }

  JsonNode parse(byte[] text) {
    try {
      return json.readTree(text);
    } catch (IOException e) {
      throw new IllegalStateException("a response is not JSON", e);
    }
  }

  byte[] bytes(JsonNode tree) {
    try {
      return json.writeValueAsBytes(tree);
    } catch (IOException e) {
      throw new IllegalStateException("a tree can't be written as JSON", e);
    }
  }

  String text(JsonNode tree) {
    return tree.toPrettyString();
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
      throw new AssertionError(
          "this object does not fit "
              + target.getName()
              + ": "
              + e.getMessage()
              + "\n"
              + text(tree),
          e);
    }
  }

  /**
   * Decodes a JSON tree into an object of the given class and encodes this object again. The result
   * has the original metadata.
   */
  ObjectNode canonical(ObjectNode tree, Class<?> target) {
    ObjectNode canonical = json.valueToTree(typed(tree, target));
    canonical.set("metadata", tree.path("metadata"));
    return canonical;
  }

  /**
   * Returns whether values of the given type are JSON objects whose fields are those of the class.
   */
  boolean isBean(JavaType type) {
    return !type.isContainerType()
        && !type.isEnumType()
        && type.isConcrete()
        && !type.getRawClass().getName().startsWith("java.")
        && !hasDeserializer(type)
        && !properties(type).isEmpty();
  }

  private static boolean hasDeserializer(JavaType type) {
    JsonDeserialize annotation = type.getRawClass().getAnnotation(JsonDeserialize.class);
    return annotation != null && annotation.using() != JsonDeserializer.None.class;
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
    Optional<Double> min = Optional.empty();
    Optional<Double> max = Optional.empty();
    for (Annotation annotation : annotations(definition)) {
      switch (annotation.annotationType().getName()) {
        case GENERATOR_ANNOTATIONS + "Required" -> required = true;
        case GENERATOR_ANNOTATIONS + "Min" -> min = Optional.of(value(annotation));
        case GENERATOR_ANNOTATIONS + "Max" -> max = Optional.of(value(annotation));
        default -> {}
      }
    }
    return new Property(definition.getName(), definition.getPrimaryType(), required, min, max);
  }

  private static List<Annotation> annotations(BeanPropertyDefinition definition) {
    List<Annotation> all = new ArrayList<>();
    for (AnnotatedMember member :
        new AnnotatedMember[] {
          definition.getField(), definition.getGetter(), definition.getSetter()
        }) {
      if (member != null && member.getAllAnnotations() != null) {
        member.getAllAnnotations().annotations().forEach(all::add);
      }
    }
    return all;
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
