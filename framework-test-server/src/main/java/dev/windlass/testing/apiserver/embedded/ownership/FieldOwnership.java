// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Records in an object which managers own its fields. The server calls the implementation before it
 * stores the object.
 */
@FunctionalInterface
public interface FieldOwnership {

  /**
   * Records the owners of the fields in {@code object}. Implementations must not block, because the
   * caller may hold the store's lock. The server may call this method more than once for the same
   * write.
   *
   * @param subresource the subresource that was written; empty for the object itself
   * @param old the object before the write, which must not be modified; an empty object for a
   *     create
   * @param object the object after the write, to which this method adds {@code
   *     metadata.managedFields}
   * @param now the current time, in the format used in objects
   */
  void note(ResourceType type, String subresource, ObjectNode old, ObjectNode object, String now);

  /**
   * Returns an instance for writes through the scale subresource. It records the owner without a
   * time, and only if the field for the number of replicas had an owner before the write.
   */
  default FieldOwnership throughScale() {
    return (type, subresource, old, object, now) -> {
      ManagedFields fields = ManagedFields.of(old);
      List<String> tokens = new ArrayList<>();
      for (String name : type.scale().replicas().substring(1).split("/", -1)) {
        tokens.add("f:" + name);
      }
      FieldPath replicas = new FieldPath(tokens);
      if (object.at(type.scale().replicas()).asInt() == 0 && fields.isOwned(replicas)) {
        // Go's encoder omits the number zero from the Scale, so it has no owner.
        fields.remove(Set.of(replicas));
        fields.writeTo(object);
      } else if (fields.isOwned(replicas)) {
        note(type, "scale", old, object, "");
      } else if (Meta.of(old).json().has("managedFields")) {
        fields.writeTo(object);
      }
    };
  }

  /**
   * Returns an instance that records the same owners as {@code noted}. Use it for an object that
   * was changed after its owners had been recorded.
   */
  static FieldOwnership as(ObjectNode noted) {
    ObjectNode owners = noted.deepCopy();
    return (type, subresource, old, object, now) -> ManagedFields.copy(owners, object);
  }

  /**
   * Returns an instance for all writes except server-side apply. It makes the writer the owner of
   * the fields that the write changes. To save time, it does not start to record owners in an
   * object until a request names its manager or applies a configuration.
   *
   * @param manager the manager's name; empty if the request does not contain a name
   */
  static FieldOwnership byUpdate(String manager) {
    return (type, subresource, old, object, now) -> {
      ManagedFields fields = ManagedFields.of(old);
      if (fields.isUsedUp()) {
        fields.writeTo(object);
      }
      if (fields.isEmpty() && (manager.isEmpty() || fields.isUsedUp())) {
        return;
      }
      FieldShape shape = FieldShape.of(type);
      Map<FieldPath, JsonNode> before =
          FieldValues.of(shape, old.isEmpty() ? EmptyObjects.of(type) : old);
      Map<FieldPath, JsonNode> after = FieldValues.of(shape, object);
      Set<FieldPath> changed = FieldValues.changed(before, after);
      if (subresource.isEmpty() && type.has(Trait.STATUS)) {
        // A write outside the status subresource cannot change the status, so the writer does not
        // own it.
        changed.removeIf(path -> path.tokens().get(0).equals("f:status"));
      }
      fields.remove(FieldValues.removed(before, after));
      FieldOwner owner =
          new FieldOwner(
              manager.isEmpty() ? "unknown" : manager,
              FieldOwner.Operation.UPDATE,
              type.apiVersion(),
              subresource);
      if (!changed.isEmpty()) {
        fields.takeFromOthers(owner, changed::contains);
        Set<FieldPath> owned = new TreeSet<>(fields.of(owner));
        owned.addAll(changed);
        fields.set(owner, owned, now);
      }
      fields.writeTo(object);
    };
  }
}
