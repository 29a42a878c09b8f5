// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.windlass.object.CachedObject;
import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the first difference between two versions of an object, to help identify the reason for a
 * change. This class returns paths but never values, because values may be secret.
 */
public final class ObjectDiff {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The fields that the server maintains. They usually differ between two versions even if nothing
   * else has changed.
   */
  private static final Set<String> BOOKKEEPING =
      Set.of("metadata.resourceVersion", "metadata.managedFields", "metadata.generation");

  private ObjectDiff() {}

  /**
   * Returns the path of the first difference between two versions of an object, such as {@code
   * spec.template.spec.containers[0].image}. This method compares fields in alphabetical order, and
   * ignores fields that the server maintains (resourceVersion, generation, managedFields).
   *
   * @return the path, or empty if the other fields do not differ
   */
  public static Optional<String> firstDifference(CachedObject<?> one, CachedObject<?> other) {
    return difference("", treeOf(one), treeOf(other));
  }

  private static JsonNode treeOf(CachedObject<?> object) {
    try {
      return JSON.readTree(object.json());
    } catch (IOException e) {
      throw new IllegalStateException("the cache holds no JSON for " + object, e);
    }
  }

  private static Optional<String> difference(String path, JsonNode one, JsonNode other) {
    if (one.equals(other) || BOOKKEEPING.contains(path)) {
      return Optional.empty();
    }
    if (one.isObject() && other.isObject()) {
      return ofFields(path, one, other);
    }
    if (one.isArray() && other.isArray() && one.size() == other.size()) {
      for (int i = 0; i < one.size(); i++) {
        Optional<String> found = difference(path + "[" + i + "]", one.get(i), other.get(i));
        if (found.isPresent()) {
          return found;
        }
      }
      return Optional.empty();
    }
    return Optional.of(path);
  }

  private static Optional<String> ofFields(String path, JsonNode one, JsonNode other) {
    Set<String> names = new TreeSet<>();
    for (JsonNode node : new JsonNode[] {one, other}) {
      Iterator<String> fields = node.fieldNames();
      fields.forEachRemaining(names::add);
    }
    for (String name : names) {
      String below = path.isEmpty() ? name : path + "." + name;
      Optional<String> found = difference(below, one.path(name), other.path(name));
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }
}
