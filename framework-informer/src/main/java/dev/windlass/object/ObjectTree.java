// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of one object as a tree. A {@link Transform} changes the object through this tree.
 *
 * <p>A path is a list of field names, starting at the root. In an array, the index of an element
 * takes the place of a field name. A path that does not exist is not an error: reads return an
 * empty result, and removals have no effect.
 *
 * <p>A tree is not thread-safe. A transform must not use the tree after {@link Transform#apply} has
 * returned.
 */
public final class ObjectTree {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ObjectNode root;

  ObjectTree(ObjectNode root) {
    this.root = root;
  }

  /**
   * Parses the JSON of an object.
   *
   * @throws MalformedObjectException if the bytes are not the JSON of an object
   */
  public static ObjectTree parse(byte[] buffer, int offset, int length) {
    try {
      if (JSON.readTree(buffer, offset, length) instanceof ObjectNode object) {
        return new ObjectTree(object);
      }
    } catch (IOException e) {
      // The message of the original exception quotes the bytes, which may be secret.
    }
    throw new MalformedObjectException("not the JSON of an object");
  }

  /** Returns the field names of the object at the given path. An empty path means the root. */
  public List<String> fields(String... path) {
    return fieldNames(find(path, path.length));
  }

  private static List<String> fieldNames(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** Returns the number of elements of the array at the given path, or 0 if there is no array. */
  public int size(String... path) {
    JsonNode found = find(path, path.length);
    return found.isArray() ? found.size() : 0;
  }

  /** Returns whether there is a value at the given path. A null in the JSON counts as a value. */
  public boolean has(String... path) {
    return !find(path, path.length).isMissingNode();
  }

  /** Returns the string, number or boolean at the given path as text, or empty if there is none. */
  public Optional<String> text(String... path) {
    JsonNode found = find(path, path.length);
    return found.isValueNode() && !found.isNull() ? Optional.of(found.asText()) : Optional.empty();
  }

  /** Removes the value at the path. */
  public void remove(String... path) {
    requireStep(path);
    JsonNode parent = find(path, path.length - 1);
    String last = path[path.length - 1];
    if (parent instanceof ObjectNode object) {
      object.remove(last);
    } else if (parent instanceof ArrayNode array && isIndex(last)) {
      array.remove(Integer.parseInt(last));
    }
  }

  /**
   * Removes the value at the path. If the path passes through a list, it applies to every element
   * of the list.
   */
  void removeEach(List<String> path) {
    removeEach(root, path);
  }

  private static void removeEach(JsonNode at, List<String> path) {
    if (at.isArray()) {
      at.forEach(element -> removeEach(element, path));
    } else if (at instanceof ObjectNode object && path.size() == 1) {
      object.remove(path.get(0));
    } else if (path.size() > 1) {
      removeEach(at.path(path.get(0)), path.subList(1, path.size()));
    }
  }

  /**
   * Keeps only the values at the paths. If a path passes through a list, it applies to every
   * element of the list.
   */
  void retain(List<List<String>> paths) {
    retain(root, paths);
  }

  private static void retain(JsonNode at, List<List<String>> paths) {
    Iterator<JsonNode> elements = at.isArray() ? at.elements() : Collections.emptyIterator();
    while (elements.hasNext()) {
      JsonNode element = elements.next();
      if (element.isContainerNode()) {
        retain(element, paths);
      } else {
        elements.remove();
      }
    }
    for (String field : fieldNames(at)) {
      List<List<String>> below =
          paths.stream()
              .filter(path -> path.get(0).equals(field))
              .map(path -> path.subList(1, path.size()))
              .toList();
      if (below.contains(List.<String>of())) {
        continue; // the value is kept as a whole
      }
      JsonNode value = at.get(field);
      if (value.isContainerNode() && !below.isEmpty()) {
        retain(value, below);
      } else {
        ((ObjectNode) at).remove(field);
      }
    }
  }

  /**
   * Sets the value at the given path. Objects on the path that do not exist are created.
   *
   * @param value a string, a number, a boolean, null, or maps and lists of these
   * @throws IllegalArgumentException if an existing value on the path is not an object
   */
  public void set(@Nullable Object value, String... path) {
    requireStep(path);
    ObjectNode at = root;
    for (int i = 0; i < path.length - 1; i++) {
      JsonNode next = at.get(path[i]);
      if (next == null || next.isNull()) {
        next = at.putObject(path[i]);
      }
      if (!(next instanceof ObjectNode object)) {
        throw new IllegalArgumentException(
            "can't set " + String.join(".", path) + ": '" + path[i] + "' is not an object");
      }
      at = object;
    }
    at.set(path[path.length - 1], JSON.valueToTree(value));
  }

  private static void requireStep(String[] path) {
    if (path.length == 0) {
      throw new IllegalArgumentException("the path must not be empty");
    }
  }

  private JsonNode find(String[] path, int steps) {
    JsonNode at = root;
    for (int i = 0; i < steps; i++) {
      at = at.isArray() && isIndex(path[i]) ? at.path(Integer.parseInt(path[i])) : at.path(path[i]);
    }
    return at;
  }

  private static boolean isIndex(String step) {
    return step.matches("[0-9]{1,9}");
  }
}
