// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Computes the JSON patch (RFC 6902) that turns one JSON object into another. The patch contains
 * only the fields that differ. If a list has changed its length, the patch replaces the whole list.
 */
final class ChangedFields {

  private final ArrayNode patch = JsonNodeFactory.instance.arrayNode();

  private ChangedFields() {}

  /** Returns the operations of the patch. */
  static ArrayNode patch(ObjectNode from, ObjectNode to) {
    ChangedFields changes = new ChangedFields();
    changes.compare("", from, to);
    return changes.patch;
  }

  private void compare(String path, JsonNode from, JsonNode to) {
    if (from.equals(to)) {
      return;
    }
    if (to.isMissingNode()) {
      add("remove", path);
    } else if (from.isObject() && to.isObject()) {
      Set<String> names = new LinkedHashSet<>();
      from.fieldNames().forEachRemaining(names::add);
      to.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        String field = path + "/" + name.replace("~", "~0").replace("/", "~1");
        compare(field, from.path(name), to.path(name));
      }
    } else if (from.isArray() && to.isArray() && from.size() == to.size()) {
      for (int i = 0; i < to.size(); i++) {
        compare(path + "/" + i, from.get(i), to.get(i));
      }
    } else {
      add(from.isMissingNode() ? "add" : "replace", path).set("value", to);
    }
  }

  private ObjectNode add(String operation, String path) {
    return patch.addObject().put("op", operation).put("path", path);
  }
}
