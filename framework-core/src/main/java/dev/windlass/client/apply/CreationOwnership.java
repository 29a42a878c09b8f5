// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.apply;

import dev.windlass.object.AppliedEntry;
import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Transfers the ownership of fields from the creation of an object to the field owner of its
 * applies (the applier).
 *
 * <p>An apply either creates an object or changes an existing one; it cannot be restricted to
 * creation. Therefore, {@code Client.applyNew} creates the object with a POST request. The field
 * manager of this request (the creator) then owns the fields, with the operation Update. This would
 * prevent a later apply from removing a field, because the server keeps a field while any other
 * manager owns it. The ownership can be transferred because the creator is a manager that no other
 * write uses.
 *
 * <p>If an apply omits some of the fields that were sent, the client rewrites {@code managedFields}
 * so that the applier owns the creator's fields, as client-go's {@code csaupgrade} does. The next
 * apply removes the omitted fields. The creator's name ends with a hash of the fields that were
 * sent. With this hash, a later process can distinguish these fields from the server's defaults,
 * which the creator owns as well.
 */
public final class CreationOwnership {

  private static final String SUFFIX = "-create";
  public static final String APPLY = "Apply";

  private CreationOwnership() {}

  /**
   * Makes the caches keep the {@code managedFields} entries of an applier and of its creations.
   * {@link ApplyCache} uses these entries to recognise the applies of earlier processes.
   */
  public static void keep(String applier) {
    AppliedEntry.keepFields(applier, creators(applier));
  }

  /**
   * Returns the name of the field manager for a create request.
   *
   * @param applier the field owner of later applies
   * @param configuration the fields that the create request contains
   */
  public static String creator(String applier, Map<?, ?> configuration) {
    return creators(applier) + '-' + FieldsHash.text(configuration);
  }

  /** Returns the common prefix of the field managers that an applier uses for creations. */
  static String creators(String applier) {
    return FieldOwners.of(applier + SUFFIX, FieldOwners.LONGEST - 1 - FieldsHash.DIGITS);
  }

  private static boolean isCreator(String manager, String applier) {
    String common = creators(applier);
    return manager.length() == common.length() + 1 + FieldsHash.DIGITS
        && manager.startsWith(common + '-');
  }

  /**
   * Returns the {@code managedFields} of an object after the transfer. The result is empty if no
   * transfer is needed, because the creation has no entry or the applier already owns all fields in
   * this entry.
   */
  public static Optional<List<ManagedFieldsEntry>> transferred(
      ObjectMeta metadata, String applier) {
    List<ManagedFieldsEntry> entries =
        Objects.requireNonNullElse(metadata.getManagedFields(), List.of());
    Optional<ManagedFieldsEntry> creation =
        entries.stream()
            .filter(entry -> isCreator(entry.getManager(), applier))
            .filter(entry -> !APPLY.equals(entry.getOperation()) && isOfObject(entry))
            .findFirst();
    if (creation.isEmpty()) {
      return Optional.empty();
    }
    Optional<ManagedFieldsEntry> applied =
        entries.stream()
            .filter(entry -> applier.equals(entry.getManager()))
            .filter(entry -> APPLY.equals(entry.getOperation()) && isOfObject(entry))
            .filter(entry -> Objects.equals(entry.getApiVersion(), creation.get().getApiVersion()))
            .findFirst();
    Map<String, Object> created = tree(creation.get());
    Map<String, Object> known = applied.map(CreationOwnership::tree).orElse(Map.of());
    if (covers(known, created)) {
      return Optional.empty();
    }
    List<ManagedFieldsEntry> after = new ArrayList<>(entries);
    applied.ifPresent(after::remove);
    FieldsV1 fields = new FieldsV1();
    fields.setAdditionalProperties(union(known, created));
    after.set(
        after.indexOf(creation.get()),
        new ManagedFieldsEntryBuilder(creation.get())
            .withManager(applier)
            .withOperation(APPLY)
            .withFieldsV1(fields)
            .build());
    return Optional.of(after);
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

  /**
   * Returns whether a tree contains all paths of another tree. The name "." represents an element
   * itself and is ignored, because the fields of the element imply it.
   */
  static boolean covers(Map<?, ?> tree, Map<?, ?> other) {
    return other.keySet().stream()
        .allMatch(
            field ->
                field.equals(".")
                    || (tree.containsKey(field)
                        && covers(below(tree, field), below(other, field))));
  }

  private static Map<String, Object> union(Map<String, Object> one, Map<String, Object> other) {
    Map<String, Object> all = new LinkedHashMap<>(one);
    other.forEach(
        (field, below) -> {
          if (all.containsKey(field)) {
            all.put(field, union(below(all, field), below(other, field)));
          } else {
            all.put(field, below);
          }
        });
    return all;
  }

  @SuppressWarnings("unchecked") // JSON objects have only string keys
  private static Map<String, Object> below(Map<?, ?> tree, Object field) {
    return tree.get(field) instanceof Map<?, ?> below ? (Map<String, Object>) below : Map.of();
  }
}
