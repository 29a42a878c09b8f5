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

/** Records the owners of an object's fields in the object before it is stored. */
@FunctionalInterface
public interface FieldOwnership {

  /**
   * Records the owners. The caller can hold the store's lock, so implementations must not block.
   * The server can call this method more than once for a write.
   *
   * @param subresource the subresource that was written; empty for the object itself
   * @param old the state before the write, which must not be modified; an empty object for a create
   * @param object the new state, to which {@code metadata.managedFields} is added
   * @param now the time in the format used in objects
   */
  void note(ResourceType type, String subresource, ObjectNode old, ObjectNode object, String now);

  /**
   * Returns the ownership for a write through the scale subresource. The result records the owner
   * without a time, and only if the number of replicas had an owner before the write.
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
   * Returns the ownership for an object that was changed after its owners were recorded: the owners
   * in {@code noted} remain.
   */
  static FieldOwnership as(ObjectNode noted) {
    ObjectNode owners = noted.deepCopy();
    return (type, subresource, old, object, now) -> ManagedFields.copy(owners, object);
  }

  /**
   * Returns the ownership for a write other than an apply: the writer owns the fields that it
   * changes. To save time, the result records no owners before the first apply of an object or its
   * first write with a manager's name.
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
