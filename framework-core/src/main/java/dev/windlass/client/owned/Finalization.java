// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.controller.reconcile.Result;

/**
 * The state of an object after {@link Finalizers#run}.
 *
 * @param object its current state, with which to continue
 * @param deleting whether the object is being deleted or gone: the reconciler only has to return
 *     the result
 * @param result done, or when a finalizer wants to be called again
 */
public record Finalization<T>(T object, boolean deleting, Result result) {}
