// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.apply;

import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.ownership.FieldPath;
import dev.windlass.testing.apiserver.embedded.ownership.ManagedFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Rejects changes to fields that other managers own. */
final class ApplyConflicts {

  private ApplyConflicts() {}

  /**
   * Checks whether any of the changed fields have other owners.
   *
   * @throws StatusException 409 with a cause for each field that has other owners
   */
  static void check(List<ManagedFields.Entry> others, Set<FieldPath> changed) {
    Map<String, Set<FieldPath>> conflicts = new TreeMap<>();
    for (ManagedFields.Entry entry : others) {
      Set<FieldPath> both = new TreeSet<>(entry.paths());
      both.retainAll(changed);
      if (!both.isEmpty()) {
        conflicts.put(entry.owner().inConflict(), both);
      }
    }
    if (conflicts.isEmpty()) {
      return;
    }
    StatusException refusal = StatusException.of(409, "Conflict", message(conflicts));
    conflicts.forEach(
        (owner, paths) ->
            paths.forEach(
                path ->
                    refusal.cause(
                        "FieldManagerConflict", "conflict with " + owner, path.toString())));
    throw refusal;
  }

  private static String message(Map<String, Set<FieldPath>> conflicts) {
    List<String> all = new ArrayList<>();
    conflicts.forEach(
        (owner, paths) -> paths.forEach(path -> all.add("conflict with " + owner + ": " + path)));
    return "Apply failed with %d conflict%s: %s"
        .formatted(all.size(), all.size() == 1 ? "" : "s", String.join(", ", all));
  }
}
