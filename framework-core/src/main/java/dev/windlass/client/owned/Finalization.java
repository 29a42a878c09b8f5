// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.controller.reconcile.Result;

/**
 * An object's state after {@link Finalizers#run}.
 *
 * @param object the current state of the object, with which the reconciler must continue
 * @param deleting whether the object is being deleted or no longer exists; if so, the reconciler
 *     must return {@code result} without further action
 * @param result the clean-up's result: {@link Result#done()}, or a result that states when to call
 *     the finalizers again
 */
public record Finalization<T>(T object, boolean deleting, Result result) {}
