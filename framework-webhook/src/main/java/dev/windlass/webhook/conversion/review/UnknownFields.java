// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields of an object that the object's class does not have. The program's functions do not
 * receive these fields, so the conversion copies them to the same path of the result. The API
 * server removes them from the result if the schema of the result's version does not have them.
 *
 * <p>Unknown fields are those that were lost by decoding: the fields of the source that are missing
 * when the decoded object is encoded again. Annotations of the class, such as {@code
 * JsonIgnoreProperties}, therefore do not hide a loss.
 *
 * <p>A field has a place in the result if its parent object exists there. The elements of two lists
 * correspond to each other by their {@code name} if one list contains all names of the other, or
 * else by their position if the lists have the same length. If the result already has the field,
 * its value in the result remains.
 *
 * @param source the content of the object
 * @param known the content that the decoded object has, including fields that are null or empty
 */
record UnknownFields(ObjectNode source, ObjectNode known) {

  /** The usual key of list elements. */
  private static final String NAME = "name";

  /**
   * Adds the fields to the result of a conversion.
   *
   * @return the paths of the fields that have no place in the result
   */
  List<String> addTo(ObjectNode result) {
    List<String> homeless = new ArrayList<>();
    add("", source, known, result, homeless);
    return homeless;
  }

  private static void add(
      String path, JsonNode source, JsonNode known, JsonNode result, List<String> homeless) {
    if (source instanceof ObjectNode object && known instanceof ObjectNode decoded) {
      for (Map.Entry<String, JsonNode> field : object.properties()) {
        String name = field.getKey();
        String at = path.isEmpty() ? name : path + "." + name;
        JsonNode value = field.getValue();
        if (isLost(value, decoded.path(name))) {
          place(at, name, value, result, homeless);
        } else {
          add(at, value, decoded.path(name), result.path(name), homeless);
        }
      }
    } else if (source.isArray() && known.isArray() && source.size() == known.size()) {
      List<JsonNode> counterparts = counterparts(source, result);
      for (int i = 0; i < source.size(); i++) {
        add(path + "[" + i + "]", source.path(i), known.path(i), counterparts.get(i), homeless);
      }
    }
  }

  /**
   * Returns whether decoding has lost a value. For example, a class without a status decodes a
   * status as null.
   */
  private static boolean isLost(JsonNode value, JsonNode decoded) {
    return decoded.isMissingNode() || (decoded.isNull() && !value.isNull());
  }

  private static void place(
      String path, String name, JsonNode value, JsonNode parent, List<String> homeless) {
    if (!(parent instanceof ObjectNode object)) {
      homeless.add(path);
    } else if (!object.hasNonNull(name)) {
      object.set(name, value);
    }
  }

  /** Returns the result's elements that correspond to the source's elements. */
  private static List<JsonNode> counterparts(JsonNode source, JsonNode result) {
    Map<String, JsonNode> ours = byName(source);
    Map<String, JsonNode> theirs = byName(result);
    boolean named = !ours.isEmpty() && !theirs.isEmpty();
    boolean sameNames =
        named
            && (ours.keySet().containsAll(theirs.keySet())
                || theirs.keySet().containsAll(ours.keySet()));
    List<JsonNode> counterparts = new ArrayList<>();
    for (int i = 0; i < source.size(); i++) {
      JsonNode none = MissingNode.getInstance();
      if (sameNames) {
        counterparts.add(theirs.getOrDefault(source.path(i).path(NAME).asText(), none));
      } else {
        counterparts.add(source.size() == result.size() ? result.path(i) : none);
      }
    }
    return counterparts;
  }

  /** Returns the elements by name, or an empty map unless each element has a unique name. */
  private static Map<String, JsonNode> byName(JsonNode list) {
    Map<String, JsonNode> elements = new HashMap<>();
    for (JsonNode element : list) {
      if (!element.path(NAME).isTextual()
          || elements.put(element.path(NAME).asText(), element) != null) {
        return Map.of();
      }
    }
    return elements;
  }
}
