// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
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
    Optional<ManagedFieldsEntry> mine = applied();
    List<ManagedFieldsEntry> taken =
        entries.stream()
            .filter(this::isOfObject)
            .filter(
                entry ->
                    former.contains(entry.getManager())
                        || (updates && mine.isEmpty() && isCreatedOrUpdated(entry)))
            .filter(entry -> !entry.equals(mine.orElse(null)))
            .toList();
    if (taken.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    taken.forEach(entry -> add(fields, tree(entry)));
    return Optional.of(with(fields, taken));
  }

  private boolean isCreatedOrUpdated(ManagedFieldsEntry entry) {
    return !APPLY.equals(entry.getOperation())
        && (entry.getManager().equals(applier)
            || entry.getManager().replaceFirst("-create-[0-9a-f]{10}$", "").equals(applier));
  }

  /** Returns the {@code managedFields} after the given fields have become the applier's. */
  List<ManagedFieldsEntry> claimed(Collection<List<String>> paths) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (List<String> path : paths) {
      Map<String, Object> added = new LinkedHashMap<>();
      Map<String, Object> at = added;
      for (String step : path) {
        Map<String, Object> below = new LinkedHashMap<>();
        at.put(step, below);
        at = below;
      }
      add(fields, added);
    }
    return with(fields, List.of());
  }

  /** Returns the entries, with more fields in the applier's, and without those given up. */
  private List<ManagedFieldsEntry> with(
      Map<String, Object> fields, List<ManagedFieldsEntry> givenUp) {
    Optional<ManagedFieldsEntry> mine = applied();
    Map<String, Object> all = new LinkedHashMap<>(mine.map(FieldOwnership::tree).orElse(Map.of()));
    add(all, fields);
    FieldsV1 union = new FieldsV1();
    union.setAdditionalProperties(all);
    List<ManagedFieldsEntry> after = new ArrayList<>(entries);
    after.removeAll(givenUp);
    mine.ifPresent(after::remove);
    after.add(
        0,
        mine.or(() -> givenUp.stream().findFirst())
            .map(ManagedFieldsEntryBuilder::new)
            .orElseGet(() -> new ManagedFieldsEntryBuilder().withFieldsType("FieldsV1"))
            .withManager(applier)
            .withOperation(APPLY)
            .withApiVersion(apiVersion)
            .withFieldsV1(union)
            .build());
    return after;
  }

  /** Returns the applier's entry for its applies. */
  Optional<ManagedFieldsEntry> applied() {
    return entries.stream()
        .filter(this::isOfObject)
        .filter(entry -> APPLY.equals(entry.getOperation()))
        .filter(entry -> applier.equals(entry.getManager()))
        .findFirst();
  }

  /** Returns the descriptions of all owners of a field, or of a part of it, except the applier. */
  List<String> othersOf(List<String> path) {
    Optional<ManagedFieldsEntry> mine = applied();
    return entries.stream()
        .filter(entry -> !entry.equals(mine.orElse(null)))
        .filter(entry -> owns(tree(entry), path))
        .map(entry -> entry.getManager() + " (" + entry.getOperation() + ")")
        .toList();
  }

  /** Returns whether the applier owns a field, or a part of it. */
  boolean isMine(List<String> path) {
    return applied().filter(entry -> owns(tree(entry), path)).isPresent();
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

  /**
   * Returns the names of the list elements that the applier owns, such as {@code k:{"name":"a"}}.
   */
  List<String> elements(List<String> path) {
    Map<?, ?> at = applied().map(FieldOwnership::tree).orElse(Map.of());
    for (String step : path) {
      if (!(at.get(step) instanceof Map<?, ?> below)) {
        return List.of();
      }
      at = below;
    }
    return at.keySet().stream()
        .map(Object::toString)
        .filter(name -> name.startsWith("k:"))
        .toList();
  }

  private boolean isOfObject(ManagedFieldsEntry entry) {
    return (entry.getSubresource() == null || entry.getSubresource().isEmpty())
        && apiVersion.equals(entry.getApiVersion());
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
