// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Notes in an object that is about to be stored who owns its fields. */
@FunctionalInterface
interface Ownership {

  /**
   * Called under the store's lock.
   *
   * @param subresource that was written; empty for the object itself
   * @param old the state before, which must not be modified; an empty object for a create
   * @param object gets {@code metadata.managedFields}
   * @param now as it stands in objects
   */
  void note(ResourceType type, String subresource, ObjectNode old, ObjectNode object, String now);

  /**
   * By a write that is no apply: who makes it owns what it changes. Objects that nobody applied,
   * and that nobody wrote who gave a name, have no owners: this costs them nothing.
   *
   * @param manager empty if the request names none
   */
  static Ownership byUpdate(String manager) {
    return (type, subresource, old, object, now) -> {
      ManagedFields fields = ManagedFields.of(old);
      if (fields.isEmpty() && manager.isEmpty()) {
        return;
      }
      FieldShape shape = FieldShape.of(type);
      Map<FieldPath, JsonNode> after = FieldValues.of(shape, object);
      Set<FieldPath> changed = FieldValues.changed(FieldValues.of(shape, old), after);
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
      fields.keepOnly(after.keySet());
      fields.writeTo(object);
    };
  }
}
