// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The {@code managedFields} of one object, from the viewpoint of the field owner that applies it
 * (the applier). Computes new {@code managedFields} that give the applier further fields, which its
 * next apply then removes unless it sets them.
 */
public final class FieldOwnership {

  /**
   * The resourceVersion of an apply that can only create an object. If the object exists, the
   * server rejects the apply, because no object has this version: it is the one of an empty etcd.
   */
  public static final String CREATE_ONLY = "1";

  private static final String APPLY = "Apply";

  private final List<ManagedFieldsEntry> entries;
  private final String applier;
  private final String apiVersion;

  /**
   * Creates a view.
   *
   * @param apiVersion the API version in which the applier applies the object
   */
  public FieldOwnership(ObjectMeta metadata, String applier, String apiVersion) {
    this.entries = Objects.requireNonNullElse(metadata.getManagedFields(), List.of());
    this.applier = applier;
    this.apiVersion = apiVersion;
  }

  /** Returns whether the server has recorded any field owner. */
  boolean isKnown() {
    return !entries.isEmpty();
  }

  /**
   * Returns the {@code managedFields} after the applier has taken over the fields that belong to it
   * under another name or operation, as client-go's {@code csaupgrade} does.
   *
   * @param former former names of the applier, of which all fields are taken over
   * @param updates whether to take over the fields that the applier has created or updated, unless
   *     it has applied the object before. Later updates remain apart from its applies
   * @return the new entries, or empty if there is nothing to take over
   */
  public Optional<List<ManagedFieldsEntry>> handedOver(Set<String> former, boolean updates) {
    List<ManagedFieldsEntry> taken =
        entries.stream()
            .filter(FieldOwnership::isOfObject)
            .filter(
                entry ->
                    former.contains(nameOf(entry))
                        || (updates && isOwnUpdate(entry) && (isUnapplied() || isCreation(entry))))
            .toList();
    return taken.isEmpty() ? Optional.empty() : Optional.of(with(List.of(), taken));
  }

  private boolean isUnapplied() {
    return applied().isEmpty();
  }

  private boolean isOwnUpdate(ManagedFieldsEntry entry) {
    return !APPLY.equals(entry.getOperation()) && nameOf(entry).equals(applier);
  }

  /** Early builds of this project have created the objects of foo under foo-create-0123456789. */
  private static boolean isCreation(ManagedFieldsEntry entry) {
    return !nameOf(entry).equals(entry.getManager());
  }

  private static String nameOf(ManagedFieldsEntry entry) {
    String manager = Objects.requireNonNullElse(entry.getManager(), "");
    return manager.replaceFirst("-create-[0-9a-f]{10}$", "");
  }

  /**
   * Returns the {@code managedFields} after the given fields have become the applier's, with all
   * fields that it has set by other writes. Returns empty if its applies are recorded in another
   * API version, in which the fields can have other names.
   */
  Optional<List<ManagedFieldsEntry>> claimed(Collection<List<String>> paths) {
    if (applied().filter(entry -> !apiVersion.equals(entry.getApiVersion())).isPresent()) {
      return Optional.empty();
    }
    List<ManagedFieldsEntry> own =
        entries.stream().filter(FieldOwnership::isOfObject).filter(this::isOwnUpdate).toList();
    return Optional.of(with(paths, own));
  }

  /** Returns the entries, with more fields in the applier's, and without those that it takes. */
  private List<ManagedFieldsEntry> with(
      Collection<List<String>> paths, List<ManagedFieldsEntry> taken) {
    Optional<ManagedFieldsEntry> mine = applied();
    Map<String, Object> all = new LinkedHashMap<>();
    mine.ifPresent(entry -> add(all, tree(entry)));
    taken.forEach(entry -> add(all, tree(entry)));
    for (List<String> path : paths) {
      Map<String, Object> added = new LinkedHashMap<>();
      Map<String, Object> at = added;
      for (String step : path) {
        Map<String, Object> below = new LinkedHashMap<>();
        at.put(step, below);
        at = below;
      }
      add(all, added);
    }
    FieldsV1 union = new FieldsV1();
    union.setAdditionalProperties(all);
    List<ManagedFieldsEntry> after = new ArrayList<>(entries);
    after.removeAll(taken);
    mine.ifPresent(after::remove);
    ManagedFieldsEntryBuilder entry =
        mine.or(() -> taken.stream().findFirst())
            .map(ManagedFieldsEntryBuilder::new)
            .orElseGet(
                () ->
                    new ManagedFieldsEntryBuilder()
                        .withFieldsType("FieldsV1")
                        .withApiVersion(apiVersion));
    after.add(0, entry.withManager(applier).withOperation(APPLY).withFieldsV1(union).build());
    return after;
  }

  /** Returns the applier's entry for its applies. */
  Optional<ManagedFieldsEntry> applied() {
    return entries.stream()
        .filter(FieldOwnership::isOfObject)
        .filter(entry -> APPLY.equals(entry.getOperation()))
        .filter(entry -> applier.equals(entry.getManager()))
        .findFirst();
  }

  /** Returns the descriptions of all other owners of a field, or of a part of it. */
  List<String> othersOf(List<String> path) {
    return entries.stream()
        .filter(entry -> !applier.equals(entry.getManager()) || !isOfObject(entry))
        .filter(entry -> owns(tree(entry), path))
        .map(entry -> entry.getManager() + " (" + entry.getOperation() + ")")
        .toList();
  }

  /** Returns whether the applier has applied a field, or a part of it. */
  boolean isMine(List<String> path) {
    return applied().filter(entry -> owns(tree(entry), path)).isPresent();
  }

  /** Returns whether the applier has set a field, or a part of it, by a write that is no apply. */
  boolean isOwn(List<String> path) {
    return entries.stream()
        .filter(entry -> isOfObject(entry) && isOwnUpdate(entry))
        .anyMatch(entry -> owns(tree(entry), path));
  }

  /** An entry without fields below a name owns the whole value, as of an atomic list. */
  private static boolean owns(Map<?, ?> tree, List<String> path) {
    Map<?, ?> at = tree;
    for (String step : path) {
      if (!(at.get(step) instanceof Map<?, ?> below)) {
        return false;
      }
      if (below.isEmpty()) {
        return true;
      }
      at = below;
    }
    return true;
  }

  /** Returns the names of the list elements that anybody owns, such as {@code k:{"name":"a"}}. */
  Set<String> elements(List<String> path) {
    Set<String> names = new LinkedHashSet<>();
    for (ManagedFieldsEntry entry : entries) {
      Map<?, ?> at = tree(entry);
      for (String step : path) {
        at = at.get(step) instanceof Map<?, ?> below ? below : Map.of();
      }
      at.keySet().stream()
          .map(Object::toString)
          .filter(name -> name.startsWith("k:"))
          .forEach(names::add);
    }
    return names;
  }

  private static boolean isOfObject(ManagedFieldsEntry entry) {
    return entry.getSubresource() == null || entry.getSubresource().isEmpty();
  }

  private static Map<String, Object> tree(ManagedFieldsEntry entry) {
    FieldsV1 fields = entry.getFieldsV1();
    return fields == null || fields.getAdditionalProperties() == null
        ? Map.of()
        : fields.getAdditionalProperties();
  }

  private static void add(Map<String, Object> tree, Map<String, Object> more) {
    more.forEach(
        (field, below) -> {
          Map<String, Object> all = new LinkedHashMap<>(map(tree.get(field)));
          add(all, map(below));
          tree.put(field, all);
        });
  }

  @SuppressWarnings("unchecked") // JSON objects have only string keys
  private static Map<String, Object> map(@Nullable Object tree) {
    return tree instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }
}
