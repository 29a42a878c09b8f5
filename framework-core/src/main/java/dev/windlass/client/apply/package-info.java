// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: field ownership in server-side apply, and which applies would change nothing.
 *
 * <p>In: applied configurations, and the states of objects. Out: whether an apply can be skipped
 * ({@link dev.windlass.client.apply.AppliedStates}), and the {@code managedFields} that let an
 * applier remove what it has created ({@link dev.windlass.client.apply.CreatedFields}). Sends no
 * requests. Threads: the caller's. Next: {@code dev.windlass.client}, which sends the applies.
 */
@NullMarked
package dev.windlass.client.apply;

import org.jspecify.annotations.NullMarked;
