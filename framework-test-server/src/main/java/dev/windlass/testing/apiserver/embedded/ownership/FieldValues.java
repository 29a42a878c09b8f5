// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds the parts of an object that can have an owner: list elements, and values that are not
 * divided further.
 */
public final class FieldValues {

  /** The fields without owners: the identity of an object, and fields set by the server. */
  private static final Set<String> UNOWNED =
      Set.of(
          "name",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "selfLink",
          "managedFields");

  private final Map<FieldPath, JsonNode> values = new TreeMap<>();

  private FieldValues() {}

  /** Returns the values of an object that can have an owner, by their paths. */
  public static Map<FieldPath, JsonNode> of(FieldShape shape, ObjectNode object) {
    FieldValues fields = new FieldValues();
    for (var field : Json.without(object, "apiVersion", "kind", "metadata").properties()) {
      fields.add(
          FieldPath.ROOT.member(field.getKey()), shape.member(field.getKey()), field.getValue());
    }
    FieldPath metadata = FieldPath.ROOT.member("metadata");
    for (var field : object.path("metadata").properties()) {
      if (!UNOWNED.contains(field.getKey())) {
        FieldShape member = shape.member("metadata").member(field.getKey());
        fields.add(metadata.member(field.getKey()), member, field.getValue());
      }
    }
    return fields.values;
  }

  /** Returns the paths at which {@code after} has a value that {@code before} does not have. */
  public static Set<FieldPath> changed(
      Map<FieldPath, JsonNode> before, Map<FieldPath, JsonNode> after) {
    Set<FieldPath> changed = new TreeSet<>();
    after.forEach(
        (path, value) -> {
          JsonNode old = before.get(path);
          if (old == null || !Json.same(old, value)) {
            changed.add(path);
          }
        });
    return changed;
  }

  private void add(FieldPath path, FieldShape shape, JsonNode value) {
    if (value.isObject() && !value.isEmpty() && !shape.isAtomicObject()) {
      for (var field : value.properties()) {
        add(path.member(field.getKey()), shape.member(field.getKey()), field.getValue());
      }
    } else if (value.isArray() && shape.isDivided(value)) {
      for (JsonNode element : value) {
        FieldPath at = path.then(String.valueOf(shape.token(element)));
        if (element.isObject()) {
          add(at, shape.elements(), element);
        }
        values.put(at, BooleanNode.TRUE);
      }
    } else if (!value.isNull()) {
      values.put(path, value);
    }
  }
}
