// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import java.util.List;

/**
 * The parts of a CustomResourceDefinition's state that matter for a migration.
 *
 * @param uid the uid, which distinguishes the definition from its successor if it is deleted and
 *     created again
 * @param resourceVersion the version of this state
 * @param generation a number that every change to the spec increases by one
 * @param usable whether the definition is established and not being deleted
 * @param storageVersion the version in which the API server stores objects
 * @param storedVersions the versions in which objects may be stored, according to the status
 */
record Definition(
    String uid,
    String resourceVersion,
    long generation,
    boolean usable,
    String storageVersion,
    List<String> storedVersions) {

  Definition {
    storedVersions = List.copyOf(storedVersions);
  }

  /**
   * Returns whether the definition is usable, and objects may be stored in a version other than the
   * storage version.
   */
  boolean needsMigration() {
    return usable && storedVersions.stream().anyMatch(version -> !version.equals(storageVersion));
  }

  /**
   * Returns whether the storage version cannot have changed between an earlier state and this one.
   * Two changes, to another version and back, increase the generation by at least two.
   */
  boolean continues(Definition earlier) {
    return usable
        && uid.equals(earlier.uid)
        && storageVersion.equals(earlier.storageVersion)
        && generation - earlier.generation <= 1;
  }
}
