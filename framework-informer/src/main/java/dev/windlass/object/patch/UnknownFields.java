// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;

/**
 * Merges the changes to a typed object into the JSON from which the object was decoded, so that the
 * fields that its class does not declare are kept. The merge compares three versions of the JSON:
 *
 * <ul>
 *   <li><em>base</em>: the original JSON
 *   <li><em>before</em>: the object that was decoded from the base, encoded again
 *   <li><em>after</em>: the changed object, encoded
 * </ul>
 *
 * <p>The result is the base without the fields that are only in <em>before</em>, and with the
 * fields of <em>after</em> that differ from <em>before</em>. A null is the same as an absent field.
 * Values that the class itself sets or encodes differently are in both encodings, so they have no
 * effect.
 *
 * <p>In a list, an element of <em>after</em> is paired with an equal element of <em>before</em> or,
 * if there is none, with the element that has the same {@code name}, {@code type} or {@code key},
 * provided that this field is unique in all three lists. An element that is not paired loses its
 * unknown fields. This is the purpose if elements were only removed. If <em>after</em> also has new
 * elements, one of them may be the changed form of that element, so the result is {@linkplain
 * Merged#ambiguous ambiguous}. Lists of scalars are replaced.
 */
public final class UnknownFields {

  /** The fields that identify the elements of a list, in order of precedence. */
  private static final List<String> KEYS = List.of("name", "type", "key");

  /**
   * The result of a merge.
   *
   * @param object the merged JSON; it may share nodes with the arguments of the merge
   * @param dropped the paths of the unknown fields that are not in the result, because their parent
   *     is not in <em>after</em>
   * @param ambiguous the path of an unknown field that may belong to a new element of a list
   */
  public record Merged(ObjectNode object, List<String> dropped, Optional<String> ambiguous) {}

  private final boolean byPosition;
  private final List<String> dropped = new ArrayList<>();
  private final List<String> ambiguous = new ArrayList<>();

  private UnknownFields(boolean byPosition) {
    this.byPosition = byPosition;
  }

  /** Merges the changes that a program made to an object. */
  public static Merged merge(ObjectNode base, ObjectNode before, ObjectNode after) {
    return new UnknownFields(false).run(base, before, after);
  }

  /**
   * Merges the result of a function that processes each element of a list in its place, such as a
   * conversion. If a list has kept its length, elements that are not paired otherwise are paired by
   * position.
   */
  public static Merged mergeByPosition(ObjectNode base, ObjectNode before, ObjectNode after) {
    return new UnknownFields(true).run(base, before, after);
  }

  /**
   * Returns an object with the fields of another one that it lacks, except null. Lists are not
   * merged.
   */
  static JsonNode filled(JsonNode object, JsonNode from) {
    if (from.isMissingNode() || from.isNull()) {
      return object;
    }
    if (object.isMissingNode() || object.isNull()) {
      return withoutNulls(from);
    }
    if (!object.isObject() || !from.isObject()) {
      return object;
    }
    ObjectNode filled = ((ObjectNode) object).objectNode().setAll((ObjectNode) object);
    for (Map.Entry<String, JsonNode> field : from.properties()) {
      JsonNode value = filled(object.path(field.getKey()), field.getValue());
      if (!value.isMissingNode() && !value.isNull()) {
        filled.set(field.getKey(), value);
      }
    }
    return filled;
  }

  private Merged run(ObjectNode base, ObjectNode before, ObjectNode after) {
    ObjectNode merged = object("", base, withoutNulls(before), withoutNulls(after));
    return new Merged(merged, dropped, ambiguous.stream().findFirst());
  }

  private static JsonNode withoutNulls(JsonNode node) {
    if (node instanceof ObjectNode object) {
      ObjectNode copy = object.objectNode();
      object.properties().stream()
          .filter(field -> !field.getValue().isNull())
          .forEach(field -> copy.set(field.getKey(), withoutNulls(field.getValue())));
      return copy;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode copy = array.arrayNode();
      array.forEach(element -> copy.add(withoutNulls(element)));
      return copy;
    }
    return node;
  }

  private JsonNode value(String path, JsonNode base, JsonNode before, JsonNode after) {
    if (before.equals(after)) {
      return base;
    }
    boolean isDefault = before.isObject() && (base.isMissingNode() || base.isNull());
    if (after.isObject() && (base.isObject() || isDefault)) {
      return object(path, base, before, after);
    }
    if (after.isArray() && before.isArray() && base.isArray()) {
      return list(path, base, before, after);
    }
    if (!before.isMissingNode()) {
      unknown(path, base, before, dropped);
    }
    return after;
  }

  private ObjectNode object(String path, JsonNode base, JsonNode before, JsonNode after) {
    Set<String> names = new LinkedHashSet<>();
    for (JsonNode one : List.of(base, before, after)) {
      one.fieldNames().forEachRemaining(names::add);
    }
    ObjectNode merged = JsonNodeFactory.instance.objectNode();
    for (String name : names) {
      JsonNode value =
          value(below(path, name), base.path(name), before.path(name), after.path(name));
      if (!value.isMissingNode()) {
        merged.set(name, value);
      }
    }
    return merged;
  }

  private JsonNode list(String path, JsonNode base, JsonNode before, JsonNode after) {
    boolean hasFields =
        IntStream.range(0, base.size()).anyMatch(i -> base.get(i).isContainerNode());
    if (!hasFields || !isInOrder(base, before)) {
      unknown(path, base, before, ambiguous);
      return after;
    }
    int[] origins = origins(base, before, after);
    BitSet gone = new BitSet();
    gone.set(0, before.size());
    boolean hasNew = false;
    ArrayNode merged = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < origins.length; i++) {
      int j = origins[i];
      if (j < 0) {
        hasNew = true;
        merged.add(after.get(i));
      } else {
        gone.clear(j);
        merged.add(value(path + "[" + j + "]", base.get(j), before.get(j), after.get(i)));
      }
    }
    List<String> lost = hasNew ? ambiguous : dropped;
    gone.stream().forEach(j -> unknown(path + "[" + j + "]", base.get(j), before.get(j), lost));
    return merged;
  }

  /** Returns, for each element of {@code after}, the index of its pair, or -1 for a new element. */
  private int[] origins(JsonNode base, JsonNode before, JsonNode after) {
    List<BiPredicate<Integer, Integer>> rules = new ArrayList<>();
    rules.add((i, j) -> i.equals(j) && after.get(i).equals(before.get(j)));
    rules.add((i, j) -> after.get(i).equals(before.get(j)));
    KEYS.stream()
        .filter(key -> isUnique(key, base) && isUnique(key, before) && isUnique(key, after))
        .findFirst()
        .ifPresent(
            key -> rules.add((i, j) -> after.get(i).get(key).equals(before.get(j).get(key))));
    if (byPosition && before.size() == after.size()) {
      rules.add(Integer::equals);
    }
    int[] origins = new int[after.size()];
    Arrays.fill(origins, -1);
    BitSet taken = new BitSet();
    for (BiPredicate<Integer, Integer> rule : rules) {
      for (int i = 0; i < after.size(); i++) {
        for (int j = 0; j < before.size() && origins[i] < 0; j++) {
          if (!taken.get(j) && rule.test(i, j)) {
            origins[i] = j;
            taken.set(j);
          }
        }
      }
    }
    return origins;
  }

  private static boolean isUnique(String key, JsonNode list) {
    Set<JsonNode> values = new HashSet<>();
    for (JsonNode element : list) {
      if (!element.path(key).isValueNode() || !values.add(element.get(key))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether the elements of {@code before} are at the positions of the elements of {@code
   * base} from which they were decoded. They are not, for example, if the class declares a set.
   */
  private static boolean isInOrder(JsonNode base, JsonNode before) {
    return base.size() == before.size()
        && IntStream.range(0, base.size())
            .noneMatch(
                i ->
                    !fits(base.get(i), before.get(i))
                        && IntStream.range(0, base.size())
                            .anyMatch(j -> fits(base.get(i), before.get(j))));
  }

  /** Returns whether each scalar in the encoded element is the same in the original element. */
  private static boolean fits(JsonNode base, JsonNode before) {
    return before.isObject()
        ? before.properties().stream()
            .allMatch(
                field ->
                    field.getValue().isContainerNode()
                        || base.path(field.getKey()).asText().equals(field.getValue().asText()))
        : base.asText().equals(before.asText());
  }

  /** Adds the paths of the fields of {@code base} that the class does not declare to the list. */
  private static void unknown(String path, JsonNode base, JsonNode before, List<String> paths) {
    if (before.isMissingNode()) {
      if (!isEmpty(base)) {
        paths.add(path);
      }
    } else if (base.isObject() && before.isObject()) {
      for (Map.Entry<String, JsonNode> field : base.properties()) {
        String name = field.getKey();
        unknown(below(path, name), field.getValue(), before.path(name), paths);
      }
    } else if (base.isArray() && before.isArray()) {
      if (isInOrder(base, before)) {
        for (int i = 0; i < base.size(); i++) {
          unknown(path + "[" + i + "]", base.get(i), before.get(i), paths);
        }
      } else if (!paths("", before, new HashSet<>())
          .containsAll(paths("", base, new HashSet<>()))) {
        paths.add(path);
      }
    }
  }

  /** Adds the paths of all fields that have a value, without the positions in lists. */
  private static Set<String> paths(String path, JsonNode node, Set<String> found) {
    if (node.isArray()) {
      node.forEach(element -> paths(path, element, found));
    }
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (!isEmpty(field.getValue())) {
        String at = below(path, field.getKey());
        found.add(at);
        paths(at, field.getValue(), found);
      }
    }
    return found;
  }

  /** Returns whether a class may have omitted the value. An empty object can have a meaning. */
  private static boolean isEmpty(JsonNode node) {
    return node.isArray() ? node.isEmpty() : node.isValueNode() && node.asText("").isEmpty();
  }

  private static String below(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
