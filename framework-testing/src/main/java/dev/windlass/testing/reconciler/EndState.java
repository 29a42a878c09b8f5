// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The objects at the end of a run, normalised for comparison with other runs. Values that differ
 * between runs, such as uids, resourceVersions, times and generated names, are removed or replaced.
 */
final class EndState {

  /** The resources whose objects record past activity and are not compared: Events and Leases. */
  private static final Set<String> RECORDS =
      Set.of("events", "events.events.k8s.io", "leases.coordination.k8s.io");

  private static final Set<String> BOOKKEEPING =
      Set.of("uid", "resourceVersion", "creationTimestamp", "managedFields", "generation");

  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)");

  /** The uids and generated names to replace, with their replacements. */
  private final Map<String, String> replacements = new HashMap<>();

  private EndState() {}

  /** Returns whether objects of the given resource record past activity and are not compared. */
  static boolean isRecord(String resource) {
    return RECORDS.contains(resource);
  }

  /** Returns the normalised objects, keyed by resource, namespace and name. */
  static SortedMap<String, String> of(SortedMap<String, List<ObjectNode>> objects) {
    EndState state = new EndState();
    SortedMap<String, List<ObjectNode>> compared = new TreeMap<>(objects);
    compared.keySet().removeAll(RECORDS);
    compared.forEach((resource, all) -> all.forEach(object -> state.learn(resource, object)));
    SortedMap<String, List<String>> byName = new TreeMap<>();
    compared.forEach(
        (resource, all) ->
            all.forEach(
                object ->
                    byName
                        .computeIfAbsent(name(resource, object), key -> new ArrayList<>())
                        .add(state.normalised(object))));
    SortedMap<String, String> result = new TreeMap<>();
    byName.forEach(
        (name, states) -> {
          states.sort(null);
          for (int i = 0; i < states.size(); i++) {
            result.put(i == 0 ? name : name + " (" + (i + 1) + ")", states.get(i));
          }
        });
    return result;
  }

  /**
   * Returns a key such as {@code configmaps default/first}. In the key, {@code *} replaces the
   * suffix of a generated name: {@code configmaps default/first-*}.
   */
  private static String name(String resource, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    String namespace = metadata.path("namespace").asText();
    String prefix = metadata.path("generateName").asText();
    String name = prefix.isEmpty() ? metadata.path("name").asText() : prefix + "*";
    return resource + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
  }

  private void learn(String resource, ObjectNode object) {
    JsonNode metadata = object.path("metadata");
    replacements.put(metadata.path("uid").asText(), "<uid of " + name(resource, object) + ">");
    String prefix = metadata.path("generateName").asText();
    if (!prefix.isEmpty()) {
      replacements.put(metadata.path("name").asText(), prefix + "*");
    }
  }

  private String normalised(ObjectNode object) {
    ObjectNode copy = object.deepCopy();
    long generation = copy.path("metadata").path("generation").asLong();
    if (copy.path("metadata") instanceof ObjectNode metadata) {
      metadata.remove(BOOKKEEPING);
    }
    return clean(copy, generation).toString();
  }

  private JsonNode clean(JsonNode node, long generation) {
    if (node instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> field : object.properties()) {
        field.setValue(
            field.getKey().equals("observedGeneration") && field.getValue().isNumber()
                ? observed(field.getValue().asLong(), generation)
                : clean(field.getValue(), generation));
      }
    } else if (node instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, clean(array.get(i), generation));
      }
    } else if (node.isTextual()) {
      String text = node.asText();
      String replacement = replacements.get(text);
      return TextNode.valueOf(
          replacement == null ? TIME.matcher(text).replaceAll("<time>") : replacement);
    }
    return node;
  }

  private static TextNode observed(long observed, long generation) {
    return TextNode.valueOf(observed == generation ? "<current>" : "<behind>");
  }
}
