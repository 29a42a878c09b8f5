// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.controller.reconcile.Result;

/**
 * The state of an object after {@link Finalizers#run}.
 *
 * @param object the current state of the object, to be used from here on
 * @param deleting whether the object is being deleted or no longer exists; if so, the reconciler
 *     only has to return the result
 * @param result done, or the time at which a finalizer must be called again
 */
public record Finalization<T>(T object, boolean deleting, Result result) {}
