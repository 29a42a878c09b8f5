// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: exact apply. The rule is: after an apply, the object has none of the fields that this
 * controller has set before and that the configuration no longer contains, whichever process,
 * method or former field owner has set them; and an apply that would change nothing is not sent.
 * {@code ServerSideApply} in the client is the only door: every apply of a controller passes it.
 *
 * <p>{@link dev.windlass.client.apply.ApplyCache} determines whether an apply can be skipped. It
 * compares the configuration and the object with those of the last apply. {@code AppliedFields}
 * compares a configuration with the fields that an earlier process has applied. {@link
 * dev.windlass.client.apply.FieldOwnership} computes new {@code managedFields} for an object whose
 * fields the applier has set otherwise, and {@link dev.windlass.client.apply.RefusedApply} finds
 * the fields because of which the server has refused an apply. The package does not send requests,
 * and its methods run on the caller's thread. Next, read {@code dev.windlass.client}, which sends
 * the applies.
 */
@NullMarked
package dev.windlass.client.apply;

import org.jspecify.annotations.NullMarked;
