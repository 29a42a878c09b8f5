// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import org.jspecify.annotations.Nullable;

/**
 * An entry of {@code managedFields} that records the server-side applies of one field manager, or
 * the create request that preceded them. The server removes a field from the entry when another
 * manager changes the field's value. When an apply changes the object, the server adds the applied
 * fields and sets the time.
 *
 * @param fields a hash of the field names, and of the apiVersion in which they were applied
 * @param stamp for applies, a hash of the time, which the server records in whole seconds; for a
 *     creation, the number at the end of the manager's name
 * @param sharesLists whether the manager owns elements of lists to which other managers can add
 *     elements; otherwise it owns all its lists as a whole
 * @param tree the apiVersion, a line break, and the JSON of the fields, in which the uid of an
 *     element that is identified by its uid is empty; null if this string is not kept. It is kept
 *     for the managers that were passed to {@link #keepFields} before the object was decoded,
 *     unless the string is too long or too many different strings are already kept for the manager
 */
public record AppliedEntry(long fields, long stamp, boolean sharesLists, @Nullable String tree) {

  /**
   * Makes all caches of this process keep the fields that a manager applies, from now on. Call this
   * method for the program's own managers before its caches list objects. Other managers' applies
   * do not use additional memory.
   *
   * @param applier the name of the field manager that applies
   * @param creator the common name prefix of the field managers that create the objects. Each name
   *     continues with a hyphen and ten hexadecimal digits
   */
  public static void keepFields(String applier, String creator) {
    AppliedEntries.keepFields(applier, creator);
  }
}
