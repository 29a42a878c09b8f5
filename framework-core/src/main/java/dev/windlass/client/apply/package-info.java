// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: tracks field ownership in server-side apply, and finds applies that would have no
 * effect.
 *
 * <p>The package receives applied configurations and the states of objects. {@link
 * dev.windlass.client.apply.ApplyCache} determines whether an apply can be skipped, and {@code
 * AppliedFields} compares a configuration with the fields that an earlier process has applied.
 * {@link dev.windlass.client.apply.CreationOwnership} computes the {@code managedFields} with which
 * a field owner can later remove fields that it set when it created an object. The package does not
 * send requests, and its methods run on the caller's thread. Next, read {@code
 * dev.windlass.client}, which sends the applies.
 */
@NullMarked
package dev.windlass.client.apply;

import org.jspecify.annotations.NullMarked;
