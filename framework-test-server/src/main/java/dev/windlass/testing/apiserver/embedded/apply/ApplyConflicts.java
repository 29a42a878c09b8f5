// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.apply;

import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.ownership.FieldPath;
import dev.windlass.testing.apiserver.embedded.ownership.ManagedFields;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Rejects changes to fields that other managers own. Reports conflicts with the same messages as
 * the real server.
 */
final class ApplyConflicts {

  private ApplyConflicts() {}

  /**
   * Checks whether any of the changed fields have other owners.
   *
   * @throws StatusException 409 with a cause for each field that has other owners
   */
  static void check(List<ManagedFields.Entry> others, Set<FieldPath> changed) {
    Map<String, Set<FieldPath>> conflicts = new TreeMap<>();
    int count = 0;
    for (ManagedFields.Entry entry : others) {
      Set<FieldPath> both = new TreeSet<>(entry.paths());
      both.retainAll(changed);
      if (!both.isEmpty()) {
        conflicts.put(entry.owner().inConflict(), both);
        count += both.size();
      }
    }
    if (count > 0) {
      throw refusal(conflicts, count);
    }
  }

  private static StatusException refusal(Map<String, Set<FieldPath>> conflicts, int count) {
    StringBuilder message = new StringBuilder("Apply failed with " + count);
    message.append(count == 1 ? " conflict: " : " conflicts: ");
    String separator = "";
    for (var conflict : conflicts.entrySet()) {
      if (count == 1) {
        message.append("conflict with ").append(conflict.getKey()).append(": ");
        conflict.getValue().forEach(message::append);
      } else {
        message.append(separator).append("conflicts with ").append(conflict.getKey()).append(':');
        conflict.getValue().forEach(path -> message.append("\n- ").append(path));
        separator = "\n";
      }
    }
    StatusException refusal = StatusException.of(409, "Conflict", message.toString());
    conflicts.forEach(
        (owner, paths) ->
            paths.forEach(
                path ->
                    refusal.cause(
                        "FieldManagerConflict", "conflict with " + owner, path.toString())));
    return refusal;
  }
}
