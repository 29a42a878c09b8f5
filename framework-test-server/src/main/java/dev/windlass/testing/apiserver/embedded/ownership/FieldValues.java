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
 * Finds the values in an object that can have an owner: scalars, atomic objects and lists, list
 * elements, and the objects and lists that contain such values.
 */
public final class FieldValues {

  /**
   * The metadata fields that never have an owner: the object's identity, and fields that the server
   * sets.
   */
  private static final Set<String> UNOWNED =
      Set.of(
          "name",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "selfLink",
          "managedFields");

  private final Map<FieldPath, JsonNode> values = new TreeMap<>();

  /** Whether to find only the values that an apply request owns. */
  private final boolean applied;

  private FieldValues(boolean applied) {
    this.applied = applied;
  }

  /** Returns the values in {@code object} that can have an owner, by path. */
  public static Map<FieldPath, JsonNode> of(FieldShape shape, ObjectNode object) {
    return new FieldValues(false).all(shape, object);
  }

  /**
   * Returns the paths that an apply request with the given configuration owns. If the parts of an
   * object or a list are owned separately, the result contains the path of the object or list
   * itself only in three cases: it is a list element, the schema does not declare its name, or it
   * is an empty object.
   */
  public static Set<FieldPath> applied(FieldShape shape, ObjectNode config) {
    return new FieldValues(true).all(shape, config).keySet();
  }

  private Map<FieldPath, JsonNode> all(FieldShape shape, ObjectNode object) {
    for (var field : Json.without(object, "apiVersion", "kind", "metadata").properties()) {
      String name = field.getKey();
      add(FieldPath.ROOT.member(name), shape.member(name), field.getValue(), !shape.declares(name));
    }
    FieldPath metadata = FieldPath.ROOT.member("metadata");
    for (var field : object.path("metadata").properties()) {
      if (!UNOWNED.contains(field.getKey())) {
        FieldShape member = shape.member("metadata").member(field.getKey());
        add(metadata.member(field.getKey()), member, field.getValue(), false);
      }
    }
    return values;
  }

  /** Returns the paths that are in {@code before} but not in {@code after}. */
  public static Set<FieldPath> removed(
      Map<FieldPath, JsonNode> before, Map<FieldPath, JsonNode> after) {
    Set<FieldPath> removed = new TreeSet<>(before.keySet());
    removed.removeAll(after.keySet());
    return removed;
  }

  /**
   * Returns the paths whose values in {@code after} are new or differ from those in {@code before}.
   */
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

  private void add(FieldPath path, FieldShape shape, JsonNode value, boolean owned) {
    boolean list = value.isArray() && shape.isDivided(value);
    boolean object = value.isObject() && !shape.isAtomicObject();
    if (!list && !object) {
      values.put(path, value);
    } else if (!applied || owned || (object && value.isEmpty())) {
      values.put(path, BooleanNode.TRUE);
    }
    if (object) {
      for (var field : value.properties()) {
        String name = field.getKey();
        add(path.member(name), shape.member(name), field.getValue(), !shape.declares(name));
      }
    } else if (list) {
      for (JsonNode element : value) {
        FieldPath at = path.then(String.valueOf(shape.token(element)));
        add(at, shape.elements(), element.isObject() ? element : BooleanNode.TRUE, true);
      }
    }
  }
}
