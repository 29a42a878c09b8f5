// SPDX-License-Identifier: Apache-2.0
/**
 * Helpers for the objects that a reconciler manages: finalizers and conditions for the reconciled
 * object, and applies, updates and deletions for the objects that it owns.
 *
 * <p>In: objects that were read. Out: changed objects, and as few writes as possible. Invariants:
 * the uid determines the owner of an object; concurrent changes by others are never overwritten
 * unnoticed; nothing is written if nothing differs. Threads: the caller's. Next: {@link
 * dev.windlass.controller.reconcile}.
 */
@NullMarked
package dev.windlass.client.owned;

import org.jspecify.annotations.NullMarked;
