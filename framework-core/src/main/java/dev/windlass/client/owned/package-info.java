// SPDX-License-Identifier: Apache-2.0
/**
 * Helpers for the objects that a reconciler manages. {@link dev.windlass.client.owned.Finalizers}
 * and {@link dev.windlass.client.owned.Conditions} manage the finalizers and conditions of the
 * reconciled object. {@link dev.windlass.client.owned.Owned}, {@link
 * dev.windlass.client.owned.CreateOrUpdate} and {@link dev.windlass.client.owned.Prune} apply,
 * update and delete the objects that it owns. {@link dev.windlass.client.owned.References} rejects
 * references to objects in other namespaces.
 *
 * <p>Some helpers modify the objects that are passed to them, as their documentation states. All
 * helpers send as few writes as possible. They identify owners by uid, do not silently overwrite
 * concurrent changes by other writers, and do not write objects that are already in the desired
 * state. All methods run on the caller's thread. Next, read {@link
 * dev.windlass.controller.reconcile}.
 */
@NullMarked
package dev.windlass.client.owned;

import org.jspecify.annotations.NullMarked;
