// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import org.jspecify.annotations.Nullable;

/**
 * The record in {@code managedFields} of the server-side applies of one manager, or of the creation
 * that precedes them. The server removes a field from the entry when another manager changes the
 * field's value. When an apply changes the object, the server adds the applied fields and sets the
 * time.
 *
 * @param fields a hash of the names of the fields, and of the apiVersion in which they were applied
 * @param stamp for applies, a hash of the time, which the server records in whole seconds; for a
 *     creation, the number with which the name of its manager ends
 * @param sharesLists whether the manager owns elements of lists to which other managers can add
 *     elements; otherwise it owns all its lists as a whole
 * @param tree the apiVersion, a line break, and the JSON of the fields, in which the uid of an
 *     element that is identified by its uid is empty; null if the text is not kept. It is kept for
 *     the managers that were named to {@link #keepFields} before the object was decoded, unless it
 *     is long, or a manager has very many
 */
public record AppliedEntry(long fields, long stamp, boolean sharesLists, @Nullable String tree) {

  /**
   * Makes all caches of this process keep the fields of a manager's applies from now on. A program
   * names its own managers before its caches list; the applies of others cost no memory.
   *
   * @param applier the manager of the applies
   * @param creator the start of the names of the managers of the creations that precede them. A
   *     hyphen and ten hexadecimal digits follow in each name
   */
  public static void keepFields(String applier, String creator) {
    AppliedEntries.keepFields(applier, creator);
  }
}
