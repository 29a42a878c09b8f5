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
 * The fields of a JSON object that the object's class does not declare. Conversion functions do not
 * receive these fields. The conversion copies them to the same path in the result. The API server
 * removes them from the result if the schema of the result's version does not contain them.
 *
 * <p>To find the unknown fields, the decoded object is encoded again. Each field of the source that
 * is missing in this encoding is unknown. This includes fields that the class ignores, for example
 * with the annotation {@code JsonIgnoreProperties}.
 *
 * <p>A field can be copied only if its parent exists in the result. List elements are matched by
 * {@code name} if one list contains all names of the other. Otherwise, they are matched by position
 * if both lists have the same length. If the result already has a value for the field, that value
 * is kept.
 *
 * @param source the content of the object
 * @param known the content of the decoded object, including null and empty fields
 */
record UnknownFields(ObjectNode source, ObjectNode known) {

  /** The usual key of list elements. */
  private static final String NAME = "name";

  /**
   * Adds the unknown fields to the result of a conversion.
   *
   * @return the paths of the fields that could not be added, because their parent does not exist in
   *     the result
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
   * Returns true if a value of the source was lost when the object was decoded: it is missing or
   * null in the decoded object. For example, a status is decoded as null if the class has no
   * status.
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

  /**
   * Returns the matching element of the result for each element of the source. An element without a
   * match is represented by a {@link MissingNode}.
   */
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

  /**
   * Returns the elements of a list, keyed by name. The result is empty if an element has no name,
   * or if two elements have the same name.
   */
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
