// SPDX-License-Identifier: Apache-2.0
/**
 * Helpers for the objects that a reconciler manages. {@link dev.windlass.client.owned.Finalizers}
 * and {@link dev.windlass.client.owned.Conditions} manage the finalizers and conditions of the
 * reconciled object. {@link dev.windlass.client.owned.Owned}, {@link
 * dev.windlass.client.owned.CreateOrUpdate} and {@link dev.windlass.client.owned.Prune} apply,
 * update and delete the objects that it owns. {@link dev.windlass.client.owned.References} rejects
 * references to objects in other namespaces unless a grant permits them.
 *
 * <p>The documentation of each helper states whether it modifies the objects that are passed to it.
 * The helpers send as few writes as possible, and do not write an object that is already in the
 * desired state. They identify owners by uid. They do not silently overwrite concurrent changes by
 * other writers. All methods run on the caller's thread. Next, read {@link
 * dev.windlass.controller.reconcile}.
 */
@NullMarked
package dev.windlass.client.owned;

import org.jspecify.annotations.NullMarked;
