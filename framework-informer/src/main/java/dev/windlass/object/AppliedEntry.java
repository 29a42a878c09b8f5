// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import org.jspecify.annotations.Nullable;

/**
 * An entry of {@code managedFields} for the server-side apply requests of one field manager. If
 * another manager changes the value of a field, the server removes the field from this entry. If an
 * apply request changes the object, the server adds the applied fields to the entry and updates its
 * time.
 *
 * @param fields a hash of the fields and the apiVersion in which they were applied
 * @param stamp a hash of the entry's time, which has a resolution of one second
 * @param sharesLists whether the manager owns single elements of a list, so that other managers can
 *     own other elements; otherwise, it owns each list as a whole
 * @param tree the apiVersion, a line break, and the JSON of the fields, without the uids that
 *     identify list elements; null if this string is not stored. It is stored only for managers
 *     that were passed to {@link #keepFields} before the object was decoded. It is not stored if it
 *     is too long, or if too many different strings are stored for the manager
 */
public record AppliedEntry(long fields, long stamp, boolean sharesLists, @Nullable String tree) {

  /**
   * Makes all caches of this process store the fields that the given field manager owns through
   * applies. Call this method for the program's own managers before its caches list objects. The
   * fields of other managers are not stored, nor are those of more than 100 managers that are no
   * controllers. For each object whose fields are not stored, each process sends one unnecessary
   * apply request.
   */
  public static void keepFields(String applier, boolean isController) {
    AppliedEntries.keepFields(applier, isController);
  }
}
