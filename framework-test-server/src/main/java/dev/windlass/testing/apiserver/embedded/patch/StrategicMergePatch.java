// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.types.BuiltInSchemas;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Applies a Kubernetes strategic merge patch to an object of a built-in kind. Unlike a JSON merge
 * patch (RFC 7386), it merges lists of objects by a key, and {@code $patch} directives delete or
 * replace values.
 *
 * <p>The schema of the kind determines the keys of lists. This class ignores {@code
 * $setElementOrder} and orders the elements of a list by their order in the patch.
 */
public final class StrategicMergePatch {
  private static final String DIRECTIVE = "$patch";
  private static final String RETAIN = "$retainKeys";
  private static final String DELETE_FROM = "$deleteFromPrimitiveList/";

  private static final String KEY = "x-kubernetes-patch-merge-key";
  private static final String STRATEGY = "x-kubernetes-patch-strategy";

  private StrategicMergePatch() {}

  private static JsonNode member(JsonNode schema, String field) {
    JsonNode property = schema.path("properties").path(field);
    return BuiltInSchemas.resolve(
        property.isMissingNode() ? schema.path("additionalProperties") : property);
  }

  /** Returns a patched copy of {@code target}, whose schema is given. */
  static JsonNode apply(JsonNode target, JsonNode patch, JsonNode schema) {
    if (!(patch instanceof ObjectNode changes)) {
      return patch.deepCopy();
    }
    String directive = changes.path(DIRECTIVE).asText();
    if (directive.equals("delete") || (directive.equals("replace") && !target.isObject())) {
      return Json.object(); // the real server ignores the content if there is nothing to replace
    } else if (directive.equals("replace")) {
      return Json.without(changes, DIRECTIVE).deepCopy();
    }
    ObjectNode result = target instanceof ObjectNode object ? object.deepCopy() : Json.object();
    for (var change : changes.properties()) {
      applyField(result, change.getKey(), change.getValue(), member(schema, change.getKey()));
    }
    if (changes.get(RETAIN) instanceof ArrayNode kept) {
      List<String> names = new ArrayList<>();
      kept.forEach(name -> names.add(name.asText()));
      result.retain(names);
    }
    return result;
  }

  private static void applyField(
      ObjectNode result, String field, JsonNode change, JsonNode schema) {
    if (field.startsWith(DELETE_FROM)) {
      String list = field.substring(DELETE_FROM.length());
      removeValues(result.path(list), change);
    } else if (field.startsWith("$")) {
      return; // a directive for the order, or for keys to retain
    } else if (change.isNull()) {
      result.remove(field);
    } else if (change.isArray() && schema.has(KEY)) {
      ArrayNode merged = mergeLists(schema, result.path(field), change);
      if (!merged.isEmpty() || result.has(field)) {
        result.set(field, merged);
      }
    } else if (change.isArray() && schema.path(STRATEGY).asText().contains("merge")) {
      List<JsonNode> all = new ArrayList<>();
      result.path(field).forEach(all::add);
      List<JsonNode> patched = new ArrayList<>();
      for (JsonNode value : change) {
        if (!all.contains(value)) {
          all.add(value);
        }
        patched.add(all.get(all.indexOf(value)));
      }
      List<JsonNode> ordered = ordered("", result.path(field), all, patched);
      result.putArray(field).addAll(ordered);
    } else {
      result.set(field, apply(result.path(field), change, schema));
    }
  }

  private static void removeValues(JsonNode list, JsonNode values) {
    if (list instanceof ArrayNode array) {
      for (JsonNode value : values) {
        int index = indexOf(array, value);
        if (index >= 0) {
          array.remove(index);
        }
      }
    }
  }

  private static int indexOf(ArrayNode array, JsonNode value) {
    for (int i = 0; i < array.size(); i++) {
      if (array.path(i).equals(value)) {
        return i;
      }
    }
    return -1;
  }

  private static ArrayNode mergeLists(JsonNode schema, JsonNode current, JsonNode changes) {
    String key = schema.path(KEY).asText();
    JsonNode elements = BuiltInSchemas.resolve(schema.path("items"));
    List<JsonNode> result = new ArrayList<>();
    boolean replace = false;
    for (JsonNode change : changes) {
      replace |= change.size() == 1 && change.path(DIRECTIVE).asText().equals("replace");
    }
    if (!replace) {
      current.forEach(result::add);
    }
    List<JsonNode> patched = new ArrayList<>();
    for (JsonNode change : changes) {
      mergeElement(key, elements, result, change, replace);
      if (!change.has(DIRECTIVE)) {
        patched.add(result.get(indexOf(key, result, change)));
      }
    }
    return JsonNodeFactory.instance.arrayNode().addAll(ordered(key, current, result, patched));
  }

  /**
   * Returns the merged elements in the real server's order. The elements in the patch come first,
   * in the order of the patch. However, an element that is not in the patch still precedes the
   * elements that it preceded before the patch.
   */
  private static List<JsonNode> ordered(
      String key, JsonNode current, List<JsonNode> merged, List<JsonNode> patched) {
    List<JsonNode> before = new ArrayList<>();
    current.forEach(before::add);
    List<JsonNode> rest = new ArrayList<>(merged);
    Set<JsonNode> moved = Collections.newSetFromMap(new IdentityHashMap<>());
    moved.addAll(patched);
    rest.removeIf(moved::contains);
    List<JsonNode> ordered = new ArrayList<>();
    int next = 0;
    for (JsonNode element : patched) {
      int place = indexOf(key, before, element);
      while (next < rest.size()
          && place >= 0
          && indexOf(key, before, rest.get(next)) >= 0
          && indexOf(key, before, rest.get(next)) < place) {
        ordered.add(rest.get(next++));
      }
      ordered.add(element);
    }
    ordered.addAll(rest.subList(next, rest.size()));
    return ordered;
  }

  private static int indexOf(String key, List<JsonNode> list, JsonNode element) {
    for (int i = 0; element.has(key) && i < list.size(); i++) {
      if (element.path(key).equals(list.get(i).path(key))) {
        return i;
      }
    }
    return list.lastIndexOf(element);
  }

  private static void mergeElement(
      String key, JsonNode schema, List<JsonNode> list, JsonNode change, boolean replace) {
    String directive = change.path(DIRECTIVE).asText();
    int index = indexOf(key, list, change);
    if (directive.equals("delete")) {
      if (index >= 0) {
        list.remove(index);
      }
    } else if (index >= 0) {
      list.set(index, apply(list.get(index), change, schema));
    } else if (!(replace && change.size() == 1 && change.has(DIRECTIVE))) {
      list.add(apply(Json.object(), change, schema));
    }
  }
}
