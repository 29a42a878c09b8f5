// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import dev.windlass.object.AppliedEntry;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares an apply configuration with the fields that a field manager owns, and with the values of
 * these fields in an object. The comparison does not require the schema of the type, because the
 * names in {@code managedFields} show how the server merges each list: {@code k:} identifies an
 * element by its keys, {@code v:} identifies an element by its value, and a list with no names
 * below it is replaced as a whole.
 *
 * <p>If it is not certain that an apply would have no effect, the comparison returns false, and the
 * client sends the apply.
 */
final class AppliedFields {

  /**
   * The fields that every apply configuration contains but {@code managedFields} never contains.
   */
  private static final Set<String> UNRECORDED = Set.of("apiVersion", "kind");

  private static final Set<String> UNRECORDED_METADATA =
      Set.of(
          "name",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "selfLink",
          "managedFields");

  private final KubernetesSerialization json;

  AppliedFields(KubernetesSerialization json) {
    this.json = json;
  }

  /**
   * Returns the fields that a manager owns, as a tree. The result is empty if these fields are
   * unknown, or if they were recorded in a different API version.
   *
   * @param apiVersion the API version of the configuration
   */
  Optional<Map<?, ?>> tree(AppliedEntry entry, String apiVersion) {
    String text = entry.tree();
    if (text == null || !text.startsWith(apiVersion + "\n")) {
      return Optional.empty();
    }
    return Optional.of(json.unmarshal(text.substring(apiVersion.length() + 1), Map.class));
  }

  /**
   * Returns whether a manager owns exactly the fields of a configuration, and whether the object
   * has the same values in these fields.
   *
   * @param tree the fields that the manager owns
   */
  boolean matches(Map<?, ?> tree, Map<?, ?> configuration, Map<?, ?> object) {
    return hasSameFields(recorded(configuration), tree, object);
  }

  private static Map<Object, Object> recorded(Map<?, ?> configuration) {
    Map<Object, Object> recorded = new LinkedHashMap<>(configuration);
    recorded.keySet().removeAll(UNRECORDED);
    if (recorded.get("metadata") instanceof Map<?, ?> metadata) {
      Map<Object, Object> kept = new LinkedHashMap<>(metadata);
      kept.keySet().removeAll(UNRECORDED_METADATA);
      if (kept.isEmpty()) {
        recorded.remove("metadata");
      } else {
        recorded.put("metadata", kept);
      }
    }
    return recorded;
  }

  /** Returns whether the object has the desired value and the manager owns it. */
  private boolean isSame(@Nullable Object wanted, Map<?, ?> tree, @Nullable Object value) {
    List<String> names = new ArrayList<>();
    for (Object name : tree.keySet()) {
      if (!name.equals(".")) {
        names.add((String) name);
      }
    }
    if (names.isEmpty()) {
      return AppliedValues.isSame(wanted, value);
    }
    if (allStartWith("f:", names)) {
      return wanted instanceof Map<?, ?> fields
          && value instanceof Map<?, ?> values
          && hasSameFields(fields, tree, values);
    }
    return wanted instanceof List<?> elements
        && value instanceof List<?> values
        && elements.size() == names.size()
        && (allStartWith("k:", names)
            ? hasSameElements(elements, tree, values)
            : allStartWith("v:", names) && hasSameValues(elements, names, values));
  }

  private static boolean allStartWith(String prefix, List<String> names) {
    for (String name : names) {
      if (!name.startsWith(prefix)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether the manager owns exactly the given fields of a JSON object, and whether the
   * object has the same values in these fields.
   */
  private boolean hasSameFields(Map<?, ?> fields, Map<?, ?> tree, Map<?, ?> values) {
    Set<Object> unseen = new HashSet<>(tree.keySet());
    unseen.remove(".");
    for (Map.Entry<?, ?> field : fields.entrySet()) {
      String name = "f:" + field.getKey();
      if (!(tree.get(name) instanceof Map<?, ?> below)
          || !isSame(field.getValue(), below, values.get(field.getKey()))) {
        return false;
      }
      unseen.remove(name);
    }
    return unseen.isEmpty();
  }

  /** Compares two lists whose elements are identified by the values of their key fields. */
  private boolean hasSameElements(List<?> elements, Map<?, ?> tree, List<?> values) {
    for (Map.Entry<?, ?> named : tree.entrySet()) {
      String name = (String) named.getKey();
      if (name.equals(".")) {
        continue;
      }
      Map<?, ?> keys = json.unmarshal(name.substring(2), Map.class);
      if (keys.equals(Map.of("uid", ""))) {
        // The tree does not contain the uids, so the object's list must equal the wanted list.
        return elements.equals(values) && isOnlyOwner(elements, tree);
      }
      Optional<Map<?, ?>> element = only(elements, keys, true);
      Optional<Map<?, ?>> value = only(values, keys, false);
      if (element.isEmpty()
          || value.isEmpty()
          || !(named.getValue() instanceof Map<?, ?> below)
          || !isSame(element.get(), below, value.get())) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether the list has exactly one element, and the manager owns this element as a whole.
   * The tree omits the uids that identify the elements, so one name in the tree can represent
   * several elements.
   */
  private static boolean isOnlyOwner(List<?> elements, Map<?, ?> tree) {
    return elements.size() == 1
        && tree.values().stream().allMatch(below -> ((Map<?, ?>) below).isEmpty());
  }

  /**
   * Returns the element with the given keys. The result is empty unless exactly one element
   * matches.
   *
   * @param defaults whether an element without one of the keys matches, because the key may have a
   *     default value
   */
  private static Optional<Map<?, ?>> only(List<?> list, Map<?, ?> keys, boolean defaults) {
    List<Map<?, ?>> found = new ArrayList<>(1);
    for (Object element : list) {
      if (element instanceof Map<?, ?> fields
          && keys.entrySet().stream().allMatch(key -> isKey(fields, key, defaults))) {
        found.add(fields);
      }
    }
    return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
  }

  private static boolean isKey(Map<?, ?> element, Map.Entry<?, ?> key, boolean defaults) {
    Object value = element.get(key.getKey());
    return value == null ? defaults : value.equals(key.getValue());
  }

  /** Compares two lists whose elements are identified by their values. */
  private boolean hasSameValues(List<?> elements, List<String> names, List<?> values) {
    for (String name : names) {
      Object element = json.unmarshal(name.substring(2), Object.class);
      if (!elements.contains(element) || !values.contains(element)) {
        return false;
      }
    }
    return true;
  }
}
