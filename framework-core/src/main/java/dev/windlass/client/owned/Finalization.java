// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.owned;

import dev.windlass.controller.reconcile.Result;

/**
 * The result of {@link Finalizers#run}.
 *
 * @param object the current version of the object; the reconciler must use it instead of the
 *     version that it passed to {@link Finalizers#run}
 * @param deleting whether the object is being deleted or no longer exists. If so, the reconciler
 *     must return {@code result} without further action
 * @param result the result of the clean-up: {@link Result#done()}, or a result that specifies when
 *     to call the finalizers again
 */
public record Finalization<T>(T object, boolean deleting, Result result) {}
