// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.webhook;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.webhook.FieldTypes.Property;
import dev.windlass.webhook.conversion.Conversion;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares two objects of one version of a custom resource. As in the API server's own round-trip
 * tests, an absent field, null, an empty list and an empty map are equal. An empty object is not
 * equal to an absent one.
 *
 * @param types the fields of the model classes
 * @param ignored the fields that may differ
 */
record TreeComparison(FieldTypes types, Set<FieldPath> ignored) {

  private static final FieldPath METADATA = FieldPath.ROOT.then("metadata");

  /** The maximum length of a value in a description, in characters. */
  private static final int LONGEST_VALUE = 200;

  /**
   * A difference between the two objects.
   *
   * @param path the path of the field, such as {@code spec.parts[0].weight}
   * @param before the value in the first object; null if it is absent
   * @param after the value in the second object; null if it is absent
   */
  record Difference(String path, @Nullable JsonNode before, @Nullable JsonNode after) {

    boolean isLoss() {
      return after == null;
    }

    @Override
    public String toString() {
      if (after == null) {
        return "loses " + path + ", which was " + value(before);
      } else if (before == null) {
        return "adds " + path + ", which is " + value(after);
      }
      return "changes " + path + " from " + value(before) + " to " + value(after);
    }

    private static String value(@Nullable JsonNode value) {
      String text = String.valueOf(value);
      return text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE) + "...";
    }
  }

  /**
   * Returns the first difference between two objects of a model class, or empty if they are equal.
   */
  Optional<Difference> compare(JsonNode before, JsonNode after, Class<?> version) {
    JavaType type = types.type(version);
    return difference(
        "", normal(before, type, FieldPath.ROOT), normal(after, type, FieldPath.ROOT));
  }

  /**
   * Returns a copy of a value without the ignored fields, or null if nothing remains to compare.
   */
  private @Nullable JsonNode normal(JsonNode node, JavaType type, FieldPath path) {
    if (node.isNull() || ignored.stream().anyMatch(path::matches)) {
      return null;
    } else if (path.equals(METADATA) && node instanceof ObjectNode metadata) {
      return comparable(metadata);
    } else if (node instanceof ArrayNode array && type.hasContentType()) {
      return normal(array, type.getContentType(), path.then(FieldPath.ELEMENTS));
    } else if (node instanceof ObjectNode object && type.isMapLikeType()) {
      ObjectNode map = JsonNodeFactory.instance.objectNode();
      for (Map.Entry<String, JsonNode> entry : object.properties()) {
        set(map, entry.getKey(), entry.getValue(), type.getContentType(), path);
      }
      return map.isEmpty() ? null : map;
    } else if (node instanceof ObjectNode object && types.isBean(type)) {
      ObjectNode bean = JsonNodeFactory.instance.objectNode();
      for (Property property : types.properties(type)) {
        JsonNode value = object.get(property.name());
        if (value != null) {
          set(bean, property.name(), value, property.type(), path);
        }
      }
      return bean.isEmpty() && ignored.stream().anyMatch(path::contains) ? null : bean;
    }
    return node;
  }

  /** Returns a copy of the metadata without {@link Conversion#HUB_ANNOTATION}, which may differ. */
  private static ObjectNode comparable(ObjectNode metadata) {
    ObjectNode copy = metadata.deepCopy();
    if (copy.get("annotations") instanceof ObjectNode annotations) {
      annotations.remove(Conversion.HUB_ANNOTATION);
    }
    copy.removeIf(value -> value.isContainerNode() && value.isEmpty());
    return copy;
  }

  private void set(ObjectNode target, String name, JsonNode value, JavaType type, FieldPath path) {
    JsonNode normal = normal(value, type, path.then(name));
    if (normal != null) {
      target.set(name, normal);
    }
  }

  private @Nullable JsonNode normal(ArrayNode array, JavaType type, FieldPath path) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (JsonNode element : array) {
      JsonNode normal = normal(element, type, path);
      list.add(normal == null ? JsonNodeFactory.instance.nullNode() : normal);
    }
    return list.isEmpty() ? null : list;
  }

  private static Optional<Difference> difference(
      String path, @Nullable JsonNode before, @Nullable JsonNode after) {
    if (before == null ? after == null : before.equals(after)) {
      return Optional.empty();
    }
    if (before instanceof ObjectNode one && after instanceof ObjectNode other) {
      Set<String> names = new LinkedHashSet<>();
      one.fieldNames().forEachRemaining(names::add);
      other.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        Optional<Difference> found =
            difference(path.isEmpty() ? name : path + "." + name, one.get(name), other.get(name));
        if (found.isPresent()) {
          return found;
        }
      }
    } else if (before instanceof ArrayNode one
        && after instanceof ArrayNode other
        && one.size() == other.size()) {
      for (int i = 0; i < one.size(); i++) {
        Optional<Difference> found = difference(path + "[" + i + "]", one.get(i), other.get(i));
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.of(new Difference(path, before, after));
  }
}
