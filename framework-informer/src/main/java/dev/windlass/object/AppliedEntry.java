// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

/**
 * What {@code managedFields} says about the server-side applies of one manager, as hashes. The
 * server takes a field out of the entry when another manager changes the field's value. It puts in
 * what the manager applies, and sets the time, when that changes something.
 *
 * @param fields a hash of the names of the fields, and of the apiVersion in which they were applied
 * @param time a hash of the time, which the server gives in whole seconds
 */
public record AppliedEntry(long fields, long time) {}
