// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.controller.reconcile.Result;

/**
 * How far {@link Finalizers#run} has got.
 *
 * @param object as it is now, to go on with
 * @param deleting whether the object is being deleted or gone: there is nothing more to do for the
 *     reconciler than to return the result
 * @param result done, or when a finalizer wants to be called again
 */
public record Finalization<T>(T object, boolean deleting, Result result) {}
