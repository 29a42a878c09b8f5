// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Replaces the values that each server chooses. Uids, generated names and addresses become their
 * number in the order of appearance. A resourceVersion also states how many of the earlier ones are
 * lower. Times become a constant.
 */
final class Normalisation {
  private static final Pattern CHOSEN =
      Pattern.compile(
          "\\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b|\\bgen-[a-z0-9]{5}\\b|\\b10\\.0\\.\\d+\\.\\d+\\b");
  private static final Pattern ADDRESS = Pattern.compile("\\b10\\.0\\.\\d+\\.\\d+\\b");
  private static final Pattern VERSION = Pattern.compile("(?<=(precondition|record) \\()\\d+");

  private static final Set<String> TIMES = Set.of("creationTimestamp", "deletionTimestamp", "time");
  private static final Comparator<JsonNode> ENTRIES =
      Comparator.comparing((JsonNode e) -> "" + e.path("manager") + e.path("operation"))
          .thenComparing(e -> e.path("subresource").asText());

  private static final Comparator<JsonNode> CAUSES =
      Comparator.comparing((JsonNode cause) -> cause.path("field").asText())
          .thenComparing(cause -> cause.path("reason").asText())
          .thenComparing(cause -> cause.path("message").asText());

  private final String namespace;
  private final Map<String, String> ordinals = new HashMap<>();
  private boolean constantAddresses;
  private final TreeMap<Long, String> versions = new TreeMap<>();

  Normalisation(String namespace) {
    this.namespace = namespace;
  }

  /**
   * Normalises a response in place.
   *
   * @param dryRun whether the servers can choose the same addresses again
   */
  void apply(ObjectNode object, boolean dryRun) {
    constantAddresses = dryRun;
    apply(object);
  }

  private void apply(ObjectNode object) {
    boolean hasUid = object.has("uid");
    boolean status = Difference.isStatusOrCause(object);
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add); // "items" before "metadata"
    for (String original : names) {
      String name = original.startsWith("k:") ? text(original) : original;
      if (status && name.equals("message")) {
        continue; // the embedded server has words of its own, and other uids in them
      }
      JsonNode value = object.remove(original);
      if (value.isTextual() && TIMES.contains(name) && value.asText().length() == 20) {
        object.put(name, "TIME");
      } else if (value.isTextual() && name.equals("resourceVersion")) {
        object.put(name, hasUid ? version(value.asText()) : position(value.asText()));
      } else if (value.isTextual() && name.equals("continue")) {
        object.put(name, "TOKEN");
      } else {
        object.set(name, normalised(value));
        if (name.equals("managedFields")) {
          List<JsonNode> entries = new ArrayList<>();
          object.path(name).forEach(entries::add);
          entries.sort(ENTRIES);
          object.putArray(name).addAll(entries);
        } else if (name.equals("causes")) {
          Set<JsonNode> distinct = new TreeSet<>(CAUSES);
          object.path(name).forEach(distinct::add);
          object.putArray(name).addAll(distinct);
        }
      }
    }
  }

  private JsonNode normalised(JsonNode value) {
    if (value instanceof ObjectNode object) {
      apply(object);
    } else if (value instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, normalised(array.path(i)));
      }
    } else if (value.isTextual()) {
      return TextNode.valueOf(text(value.asText()));
    }
    return value;
  }

  private String text(String raw) {
    String text = constantAddresses ? ADDRESS.matcher(raw).replaceAll("ADDRESS") : raw;
    String chosen =
        CHOSEN
            .matcher(text.replace(namespace, "$ns"))
            .replaceAll(
                found ->
                    ordinals.computeIfAbsent(
                        found.group(), value -> "CHOSEN-" + (ordinals.size() + 1)));
    return VERSION.matcher(chosen).replaceAll(found -> version(found.group()));
  }

  private String version(String version) {
    if (!version.matches("\\d+")) {
      return version;
    }
    return versions.computeIfAbsent(
        Long.parseLong(version),
        number -> versions.size() + 1 + ">" + versions.headMap(number).size());
  }

  /** Returns the position of a list's resourceVersion among those of objects. */
  private String position(String version) {
    return version.matches("\\d+")
        ? ">=" + versions.headMap(Long.parseLong(version), true).size()
        : version;
  }
}
