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
 * @param time a hash of the time, which the server records in whole seconds
 * @param sharesLists whether the manager owns elements of lists to which other managers can add
 *     elements; otherwise it owns all its lists as a whole
 * @param tree the apiVersion, a line break, and the JSON of the fields, in which the uid of an
 *     element that is identified by its uid is empty; null if the text is too long or too rare to
 *     be kept
 */
public record AppliedEntry(long fields, long time, boolean sharesLists, @Nullable String tree) {}
