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
 * Transfers the ownership of fields from the creation of an object to the applies that follow it.
 *
 * <p>An apply creates an object or merges fields into an existing one; it cannot be limited to
 * creation. {@code Client.applyNew} therefore creates the object with a POST request, whose manager
 * then owns the fields with the operation Update. An apply that omits a field does not remove the
 * field while any other manager owns it. The POST request therefore uses a separate manager, which
 * no other write uses. The name of this manager ends with a hash of the fields that were sent. The
 * hash enables a later process to distinguish the sent fields from the server's defaults, which the
 * creation owns as well. The first apply that omits some of these fields rewrites {@code
 * managedFields} so that the applier owns the creation's fields, as client-go's {@code csaupgrade}
 * does. The next apply removes the omitted fields.
 */
public final class CreationOwnership {

  private static final String SUFFIX = "-create";
  public static final String APPLY = "Apply";

  private CreationOwnership() {}

  /**
   * Makes the caches keep the {@code managedFields} entries of an applier and of its creations, so
   * that {@link ApplyCache} can recognise applies by an earlier process.
   */
  public static void keep(String applier) {
    AppliedEntry.keepFields(applier, creators(applier));
  }

  /**
   * Returns the name of the field manager to use for the request when an applier creates an object.
   *
   * @param applier the field owner that the apply requests use
   * @param configuration the fields that the create request contains
   */
  public static String creator(String applier, Map<?, ?> configuration) {
    return creators(applier) + '-' + FieldsHash.text(configuration);
  }

  /** Returns the common prefix of the names of the managers for creations by an applier. */
  static String creators(String applier) {
    return FieldOwners.of(applier + SUFFIX, FieldOwners.LONGEST - 1 - FieldsHash.DIGITS);
  }

  private static boolean isCreator(String manager, String applier) {
    String common = creators(applier);
    return manager.length() == common.length() + 1 + FieldsHash.DIGITS
        && manager.startsWith(common + '-');
  }

  /**
   * Returns the {@code managedFields} of an object after the transfer, or empty if no transfer is
   * needed because the applier already owns all fields of the creation.
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
   * Returns whether a tree contains all paths of another tree. The fields of an element imply the
   * element itself (".").
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
