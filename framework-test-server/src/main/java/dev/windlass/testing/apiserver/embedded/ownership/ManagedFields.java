// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The owners of an object's fields, as recorded in its {@code metadata.managedFields}. This class
 * is not thread-safe.
 */
public final class ManagedFields {

  /**
   * An owner and the fields that it owns.
   *
   * @param owner the owner of the fields
   * @param time the time at which the set of fields last changed; empty if an apply request changed
   *     only owners, and for a write through the scale subresource
   * @param paths the paths of the fields
   */
  public record Entry(FieldOwner owner, String time, Set<FieldPath> paths) {}

  private static final String FIELD = "managedFields";

  /**
   * The order in which the API server lists entries. The entries of apply operations come first.
   */
  private static final Comparator<Entry> ORDER =
      Comparator.comparing((Entry entry) -> entry.owner().operation())
          .thenComparing(Entry::time)
          .thenComparing(entry -> entry.owner().manager())
          .thenComparing(entry -> entry.owner().apiVersion())
          .thenComparing(entry -> entry.owner().subresource());

  private final List<Entry> entries = new ArrayList<>();

  /** Whether owners have been recorded in the object, even if none remain. */
  private boolean recorded;

  /** Returns the managed fields of an object. */
  public static ManagedFields of(JsonNode object) {
    ManagedFields fields = new ManagedFields();
    fields.recorded = object.path("metadata").has("managedFields");
    for (JsonNode entry : object.path("metadata").path("managedFields")) {
      boolean applies = entry.path("operation").asText().equals("Apply");
      FieldOwner owner =
          new FieldOwner(
              entry.path("manager").asText(),
              applies ? FieldOwner.Operation.APPLY : FieldOwner.Operation.UPDATE,
              entry.path("apiVersion").asText(),
              entry.path("subresource").asText(""));
      Set<FieldPath> paths = new TreeSet<>();
      read(FieldPath.ROOT, entry.path("fieldsV1"), paths);
      fields.entries.add(new Entry(owner, entry.path("time").asText(""), paths));
    }
    return fields;
  }

  /** Sets the managed fields of {@code to} to those of {@code from}. */
  public static void copy(ObjectNode from, ObjectNode to) {
    JsonNode fields = from.path("metadata").path(FIELD);
    if (fields.isMissingNode()) {
      Meta.of(to).json().remove(FIELD);
    } else {
      Meta.of(to).json().set(FIELD, fields);
    }
  }

  /**
   * Returns the old object with the managedFields that the writer requests. A non-empty list in
   * {@code written} replaces the list in {@code old}.
   *
   * @param reset whether the writer requests the removal of all owners
   */
  public static ObjectNode asGiven(ObjectNode old, ObjectNode written, boolean reset) {
    JsonNode given = Meta.of(written).json().path("managedFields");
    boolean same = given.isEmpty() || given.equals(Meta.of(old).json().path("managedFields"));
    if (same && !reset) {
      return old;
    }
    ObjectNode owned = old.deepCopy();
    Meta.of(owned).json().set("managedFields", reset ? Json.object().arrayNode() : given);
    return owned;
  }

  /**
   * Returns whether {@code written} requests the removal of all owners. This is the case if its
   * managedFields consist of one empty entry. Except for custom resources, an empty list has the
   * same effect.
   */
  public static boolean isReset(ResourceType type, ObjectNode written) {
    JsonNode given = written.path("metadata").path("managedFields");
    boolean none = given.isArray() && given.isEmpty() && !type.custom();
    return none || (given.size() == 1 && given.path(0).isObject() && given.path(0).isEmpty());
  }

  private static void read(FieldPath at, JsonNode tree, Set<FieldPath> paths) {
    if (tree.isEmpty() && !at.tokens().isEmpty()) {
      paths.add(at);
    }
    for (var child : tree.properties()) {
      if (child.getKey().equals(".")) {
        paths.add(at);
      } else {
        read(at.then(child.getKey()), child.getValue(), paths);
      }
    }
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Returns a copy of the paths that the given owner owns. */
  public Set<FieldPath> of(FieldOwner owner) {
    Set<FieldPath> paths = new TreeSet<>();
    entries.stream()
        .filter(entry -> entry.owner().isSame(owner))
        .forEach(e -> paths.addAll(e.paths()));
    return paths;
  }

  /** Returns the entries of all owners except {@code owner}. */
  public List<Entry> others(FieldOwner owner) {
    return entries.stream().filter(entry -> !entry.owner().isSame(owner)).toList();
  }

  /** Replaces the paths that the given owner owns. */
  public void set(FieldOwner owner, Collection<FieldPath> paths, String now) {
    boolean same = of(owner).equals(new TreeSet<>(paths));
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (entry.owner().isSame(owner)) {
        boolean unchanged = same && entry.owner().equals(owner);
        entries.set(i, new Entry(owner, unchanged ? entry.time() : now, new TreeSet<>(paths)));
        return;
      }
    }
    entries.add(new Entry(owner, now, new TreeSet<>(paths)));
  }

  /** Returns the time of the owner's entry, or an empty string if there is none. */
  public String timeOf(FieldOwner owner) {
    return entries.stream()
        .filter(entry -> entry.owner().isSame(owner))
        .map(Entry::time)
        .findFirst()
        .orElse("");
  }

  /** Returns whether the field at the given path has an owner. */
  boolean isOwned(FieldPath path) {
    return entries.stream().anyMatch(entry -> entry.paths().contains(path));
  }

  /** Removes the entries of owners that own no fields. */
  public void removeEmpty() {
    entries.removeIf(entry -> entry.paths().isEmpty());
  }

  /**
   * Removes the paths that match {@code taken} from the entries of all owners except {@code owner},
   * and removes entries that become empty.
   */
  public void takeFromOthers(FieldOwner owner, Predicate<FieldPath> taken) {
    others(owner).forEach(entry -> entry.paths().removeIf(taken));
    entries.removeIf(entry -> entry.paths().isEmpty());
  }

  /** Removes paths from the entries of all owners, and removes entries that become empty. */
  public void remove(Set<FieldPath> removed) {
    entries.forEach(entry -> entry.paths().removeAll(removed));
    entries.removeIf(entry -> entry.paths().isEmpty());
  }

  /**
   * Returns whether owners have been recorded in the object, but none remain. The real server then
   * records no owners until the next apply request.
   */
  boolean isUsedUp() {
    return recorded && entries.isEmpty();
  }

  /**
   * Writes the managed fields to an object. If there are none, writes an empty list, which the
   * server does not send to clients.
   */
  public void writeTo(ObjectNode object) {
    ObjectNode metadata = Meta.of(object).json();
    ArrayNode list = metadata.putArray("managedFields");
    entries.sort(ORDER);
    for (Entry entry : entries) {
      FieldOwner owner = entry.owner();
      ObjectNode written = list.addObject();
      written.put("manager", owner.manager()).put("operation", owner.operation().text());
      written.put("apiVersion", owner.apiVersion());
      if (!entry.time().isEmpty()) {
        written.put("time", entry.time());
      }
      written.put("fieldsType", "FieldsV1");
      ObjectNode tree = written.putObject("fieldsV1");
      entry.paths().forEach(path -> add(tree, path));
      if (!owner.subresource().isEmpty()) {
        written.put("subresource", owner.subresource());
      }
    }
  }

  /**
   * Adds a path to a {@code fieldsV1} tree. The caller must add paths in ascending order, in which
   * a container precedes its contents. If both a container and some of its contents are owned, the
   * container's entry contains the name ".".
   */
  private static void add(ObjectNode tree, FieldPath path) {
    ObjectNode at = tree;
    Iterator<String> tokens = path.tokens().iterator();
    while (tokens.hasNext()) {
      String token = tokens.next();
      if (at.get(token) instanceof ObjectNode child) {
        if (child.isEmpty() && tokens.hasNext()) {
          child.putObject(".");
        }
        at = child;
      } else {
        at = at.putObject(token);
      }
    }
  }
}
