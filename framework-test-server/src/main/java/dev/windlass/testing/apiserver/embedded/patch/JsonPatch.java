// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.patch;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;

/**
 * Applies JSON patches (RFC 6902). A patch is atomic: either all of its operations take effect, or
 * none of them. As in the real server, the removal of a value that does not exist is an error;
 * fabric8's implementation accepts it.
 */
final class JsonPatch {
  private JsonNode document;

  private JsonPatch(JsonNode document) {
    this.document = document;
  }

  /**
   * Returns a patched copy of {@code target}. Rejects a patch that is not an array with 400, and a
   * patch that cannot be applied with 422.
   */
  static JsonNode apply(JsonNode target, JsonNode operations) {
    if (!operations.isArray()) {
      throw StatusException.badRequest("a JSON patch must be an array of operations");
    }
    JsonPatch patch = new JsonPatch(target.deepCopy());
    operations.forEach(patch::perform);
    return patch.document;
  }

  private void perform(JsonNode operation) {
    JsonPointer path = pointer(operation, "path");
    switch (operation.path("op").asText()) {
      case "add" -> add(path, value(operation));
      case "remove" -> remove(path);
      case "replace" -> replace(path, value(operation));
      case "move" -> add(path, remove(pointer(operation, "from")));
      case "copy" -> add(path, found(pointer(operation, "from")).deepCopy());
      case "test" -> test(path, operation.path("value"));
      default -> throw StatusException.unpatchable();
    }
  }

  private static JsonPointer pointer(JsonNode operation, String field) {
    try {
      return JsonPointer.compile(operation.path(field).asText());
    } catch (IllegalArgumentException e) {
      throw StatusException.unpatchable();
    }
  }

  private static JsonNode value(JsonNode operation) {
    JsonNode value = operation.get("value");
    if (value == null) {
      throw StatusException.unpatchable();
    }
    return value.deepCopy();
  }

  private JsonNode existing(JsonPointer path) {
    JsonNode node = document.at(path);
    if (node.isMissingNode()) {
      throw StatusException.unpatchable();
    }
    return node;
  }

  /**
   * Returns the value at {@code path}, or a JSON null if the path refers to a missing member of an
   * existing object. Rejects any other path that does not exist.
   */
  private JsonNode found(JsonPointer path) {
    boolean member = !path.matches() && existing(path.head()).isObject();
    JsonNode value = document.at(path);
    return member && value.isMissingNode() ? NullNode.instance : existing(path);
  }

  private void test(JsonPointer path, JsonNode wanted) {
    JsonNode found = found(path);
    boolean bothAbsent = found.isNull() && wanted.isMissingNode();
    if (!bothAbsent && !Json.same(found, wanted)) {
      throw StatusException.unpatchable();
    }
  }

  private void add(JsonPointer path, JsonNode value) {
    if (path.matches()) {
      throw StatusException.unpatchable();
    }
    JsonNode parent = existing(path.head());
    String last = path.last().getMatchingProperty();
    if (parent instanceof ObjectNode object) {
      object.set(last, value);
    } else if (parent instanceof ArrayNode array) {
      int index = last.equals("-") ? array.size() : path.last().getMatchingIndex();
      if (index < 0 || index > array.size()) {
        throw StatusException.unpatchable();
      }
      array.insert(index, value);
    } else {
      throw StatusException.unpatchable();
    }
  }

  /**
   * Replaces the value at {@code path}. As in the real server, adds a member if the object does not
   * have it yet.
   */
  private void replace(JsonPointer path, JsonNode value) {
    if (path.matches()) {
      document = value;
      return;
    }
    if (existing(path.head()) instanceof ArrayNode) {
      remove(path);
    }
    add(path, value);
  }

  private JsonNode remove(JsonPointer path) {
    JsonNode removed = existing(path);
    if (path.matches()) {
      throw StatusException.unpatchable();
    }
    JsonNode parent = existing(path.head());
    if (parent instanceof ObjectNode object) {
      object.remove(path.last().getMatchingProperty());
    } else if (parent instanceof ArrayNode array) {
      array.remove(path.last().getMatchingIndex());
    }
    return removed;
  }
}
