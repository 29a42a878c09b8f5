// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/**
 * The entry in {@code managedFields} for the server-side applies of one manager, stored as hashes.
 * The server removes a field from the entry when another manager changes the field's value. When an
 * apply changes the object, the server adds the applied fields and sets the time.
 *
 * @param fields a hash of the names of the fields, and of the apiVersion in which they were applied
 * @param time a hash of the time, which the server records in whole seconds
 * @param sharesLists whether the manager owns elements of lists to which other managers can add
 *     elements; otherwise it owns all its lists as a whole
 */
public record AppliedEntry(long fields, long time, boolean sharesLists) {}
