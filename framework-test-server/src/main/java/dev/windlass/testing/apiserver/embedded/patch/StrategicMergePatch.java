// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Applies a Kubernetes strategic merge patch to an object of a built-in kind. Unlike a JSON merge
 * patch (RFC 7386), it merges lists of objects by a key, and {@code $patch} directives delete or
 * replace values.
 *
 * <p>A list's name determines the fields that can be its key; see {@link #MERGE_KEYS}. For the
 * kinds that this server provides, the name is unambiguous. This class ignores {@code
 * $setElementOrder} and orders the elements of a list by their order in the patch.
 */
public final class StrategicMergePatch {
  private static final String DIRECTIVE = "$patch";
  private static final String RETAIN = "$retainKeys";
  private static final String DELETE_FROM = "$deleteFromPrimitiveList/";

  /**
   * The merge keys of lists, by list name, as in the {@code patchMergeKey} tags of k8s.io/api. If a
   * list has several possible keys, as {@code ports} does, the fields of an element determine which
   * key applies.
   */
  public static final Map<String, List<String>> MERGE_KEYS =
      Map.ofEntries(
          Map.entry("containers", List.of("name")),
          Map.entry("initContainers", List.of("name")),
          Map.entry("ephemeralContainers", List.of("name")),
          Map.entry("volumes", List.of("name")),
          Map.entry("env", List.of("name")),
          Map.entry("imagePullSecrets", List.of("name")),
          Map.entry("secrets", List.of("name")),
          Map.entry("volumeMounts", List.of("mountPath")),
          Map.entry("volumeDevices", List.of("devicePath")),
          Map.entry("ports", List.of("containerPort", "port")),
          Map.entry("hostAliases", List.of("ip")),
          Map.entry("topologySpreadConstraints", List.of("topologyKey")),
          Map.entry("taints", List.of("key")),
          Map.entry("addresses", List.of("type")),
          Map.entry("ownerReferences", List.of("uid")),
          Map.entry("podIPs", List.of("ip")),
          Map.entry("resourceClaims", List.of("name")),
          Map.entry("resourceClaimStatuses", List.of("name")),
          Map.entry("schedulingGates", List.of("name")),
          Map.entry("drivers", List.of("name")),
          Map.entry("webhooks", List.of("name")),
          Map.entry("matchConditions", List.of("name")),
          Map.entry("variables", List.of("name")),
          Map.entry("conditions", List.of("type")));

  /** The names of lists of strings that are merged as sets. */
  public static final Set<String> SETS = Set.of("finalizers");

  private StrategicMergePatch() {}

  /** Returns a patched copy of {@code target}. */
  static JsonNode apply(JsonNode target, JsonNode patch) {
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
      applyField(result, change.getKey(), change.getValue());
    }
    if (changes.get(RETAIN) instanceof ArrayNode kept) {
      List<String> names = new ArrayList<>();
      kept.forEach(name -> names.add(name.asText()));
      result.retain(names);
    }
    return result;
  }

  private static void applyField(ObjectNode result, String field, JsonNode change) {
    if (field.startsWith(DELETE_FROM)) {
      String list = field.substring(DELETE_FROM.length());
      removeValues(result.path(list), change);
    } else if (field.startsWith("$")) {
      return; // a directive for the order, or for keys to retain
    } else if (change.isNull()) {
      result.remove(field);
    } else if (change.isArray() && MERGE_KEYS.containsKey(field)) {
      ArrayNode merged = mergeLists(field, result.path(field), change);
      if (!merged.isEmpty() || result.has(field)) {
        result.set(field, merged);
      }
    } else if (change.isArray() && SETS.contains(field)) {
      List<JsonNode> all = new ArrayList<>();
      result.path(field).forEach(all::add);
      List<JsonNode> patched = new ArrayList<>();
      for (JsonNode value : change) {
        if (!all.contains(value)) {
          all.add(value);
        }
        patched.add(all.get(all.indexOf(value)));
      }
      List<JsonNode> ordered = ordered(field, result.path(field), all, patched);
      result.putArray(field).addAll(ordered);
    } else {
      result.set(field, apply(result.path(field), change));
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

  private static ArrayNode mergeLists(String field, JsonNode current, JsonNode changes) {
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
      mergeElement(field, result, change, replace);
      if (!change.has(DIRECTIVE)) {
        patched.add(result.get(indexOf(field, result, change)));
      }
    }
    return JsonNodeFactory.instance.arrayNode().addAll(ordered(field, current, result, patched));
  }

  /**
   * Returns the merged elements in the real server's order. The elements in the patch come first,
   * in the order of the patch. However, an element that is not in the patch still precedes the
   * elements that it preceded before the patch.
   */
  private static List<JsonNode> ordered(
      String field, JsonNode current, List<JsonNode> merged, List<JsonNode> patched) {
    List<JsonNode> before = new ArrayList<>();
    current.forEach(before::add);
    List<JsonNode> rest = new ArrayList<>(merged);
    Set<JsonNode> moved = Collections.newSetFromMap(new IdentityHashMap<>());
    moved.addAll(patched);
    rest.removeIf(moved::contains);
    List<JsonNode> ordered = new ArrayList<>();
    int next = 0;
    for (JsonNode element : patched) {
      int place = indexOf(field, before, element);
      while (next < rest.size()
          && place >= 0
          && indexOf(field, before, rest.get(next)) >= 0
          && indexOf(field, before, rest.get(next)) < place) {
        ordered.add(rest.get(next++));
      }
      ordered.add(element);
    }
    ordered.addAll(rest.subList(next, rest.size()));
    return ordered;
  }

  private static int indexOf(String field, List<JsonNode> list, JsonNode element) {
    for (String key : MERGE_KEYS.getOrDefault(field, List.of())) {
      for (int i = 0; i < list.size(); i++) {
        if (element.has(key) && element.path(key).equals(list.get(i).path(key))) {
          return i;
        }
      }
    }
    return list.lastIndexOf(element);
  }

  private static void mergeElement(
      String field, List<JsonNode> list, JsonNode change, boolean replace) {
    String directive = change.path(DIRECTIVE).asText();
    int index = indexOf(field, list, change);
    if (directive.equals("delete")) {
      if (index >= 0) {
        list.remove(index);
      }
    } else if (index >= 0) {
      list.set(index, apply(list.get(index), change));
    } else if (!(replace && change.size() == 1 && change.has(DIRECTIVE))) {
      list.add(apply(Json.object(), change));
    }
  }
}
