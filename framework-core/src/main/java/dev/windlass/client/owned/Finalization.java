// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.controller.reconcile.Result;

/**
 * The state of an object after {@link Finalizers#run}.
 *
 * @param object the current state of the object, with which the reconciler must continue
 * @param deleting whether the object is being deleted or no longer exists; in this case, the
 *     reconciler only has to return the result
 * @param result the result of the clean-up: {@link Result#done()}, or the time at which a finalizer
 *     must be called again
 */
public record Finalization<T>(T object, boolean deleting, Result result) {}
