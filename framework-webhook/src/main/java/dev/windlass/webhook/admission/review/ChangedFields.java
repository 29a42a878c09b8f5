// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes the JSON patch that applies the changes of a typed object to the JSON from which it was
 * decoded. The patch contains only the fields in which the typed object differs before and after
 * the change. Fields that the class does not declare, or encodes differently, remain unchanged.
 */
final class ChangedFields {

  private final ArrayNode patch = JsonNodeFactory.instance.arrayNode();

  private ChangedFields() {}

  /**
   * Returns the operations of the patch.
   *
   * @param json the object as sent by the API server
   * @param before the typed object before the change, encoded again
   * @param after the typed object after the change, encoded again
   */
  static ArrayNode patch(ObjectNode json, ObjectNode before, ObjectNode after) {
    ChangedFields changes = new ChangedFields();
    changes.compareFields("", json, before, after);
    return changes.patch;
  }

  private void compareFields(String path, ObjectNode json, JsonNode before, JsonNode after) {
    for (String name : names(before, after)) {
      String field = path + "/" + name.replace("~", "~0").replace("/", "~1");
      compare(field, json.get(name), before.path(name), after.path(name));
    }
  }

  private static Set<String> names(JsonNode before, JsonNode after) {
    Set<String> names = new LinkedHashSet<>();
    before.fieldNames().forEachRemaining(names::add);
    after.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private void compare(String path, @Nullable JsonNode json, JsonNode before, JsonNode after) {
    if (before.equals(after)) {
      return;
    }
    if (after.isMissingNode() || after.isNull()) {
      if (json != null) {
        add("remove", path);
      }
    } else if (after.isObject() && before.isObject()) {
      if (json instanceof ObjectNode object) {
        compareFields(path, object, before, after);
      } else {
        add("add", path).set("value", changed(before, after));
      }
    } else if (after.isArray() && before.isArray() && json instanceof ArrayNode array) {
      compareElements(path, array, before, after);
    } else {
      add(json == null ? "add" : "replace", path).set("value", after);
    }
  }

  private ObjectNode add(String operation, String path) {
    return patch.addObject().put("op", operation).put("path", path);
  }

  /**
   * Returns the changed fields of an object that is absent from the JSON. The result does not
   * include fields that the class initialises by itself.
   */
  private static ObjectNode changed(JsonNode before, JsonNode after) {
    ObjectNode changed = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> field : after.properties()) {
      JsonNode old = before.path(field.getKey());
      if (!old.equals(field.getValue())) {
        boolean both = old.isObject() && field.getValue().isObject();
        changed.set(field.getKey(), both ? changed(old, field.getValue()) : field.getValue());
      }
    }
    return changed;
  }

  /**
   * Compares two lists. If elements were only changed or appended, the patch changes each element
   * separately. If elements were removed, inserted or moved, the patch replaces the whole list; in
   * the new list, the earlier elements keep the fields that the class does not declare.
   */
  private void compareElements(String path, ArrayNode json, JsonNode before, JsonNode after) {
    if (json.size() != before.size()) { // the class represents this list differently
      add("replace", path).set("value", after);
      return;
    }
    ElementMatch match = ElementMatch.of(before, after);
    if (match.inPlace()) {
      for (int i = 0; i < before.size(); i++) {
        compare(path + "/" + i, json.get(i), before.get(i), after.get(i));
      }
      for (int i = before.size(); i < after.size(); i++) {
        add("add", path + "/-").set("value", after.get(i));
      }
      return;
    }
    ArrayNode whole = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < after.size(); i++) {
      int origin = match.origin(i);
      whole.add(
          origin < 0 ? after.get(i) : merged(json.get(origin), before.get(origin), after.get(i)));
    }
    add("replace", path).set("value", whole);
  }

  /** Applies the changes between two typed elements to the JSON of the earlier element. */
  private static JsonNode merged(JsonNode json, JsonNode before, JsonNode after) {
    if (before.equals(after)) {
      return json;
    }
    if (!(json instanceof ObjectNode object) || !before.isObject() || !after.isObject()) {
      return after;
    }
    ObjectNode merged = object.objectNode();
    merged.setAll(object);
    for (String name : names(before, after)) {
      JsonNode old = before.path(name);
      JsonNode now = after.path(name);
      if (old.equals(now)) {
        continue;
      }
      if (now.isMissingNode() || now.isNull()) {
        merged.remove(name);
      } else {
        JsonNode below = merged.get(name);
        merged.set(name, below == null ? now : merged(below, old, now));
      }
    }
    return merged;
  }
}
