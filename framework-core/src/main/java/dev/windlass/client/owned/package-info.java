// SPDX-License-Identifier: Apache-2.0
/**
 * What a reconciler does with the objects that it is responsible for: its own object, with
 * finalizers and conditions, and the objects that this one owns.
 *
 * <p>In: objects that were read. Out: changed objects, and as few writes as possible. Invariants:
 * the uid decides who owns an object; concurrent changes by others are never overwritten unseen;
 * nothing is written if nothing differs. Threads: the caller's. Next: {@link
 * dev.windlass.controller.reconcile}.
 */
@NullMarked
package dev.windlass.client.owned;

import org.jspecify.annotations.NullMarked;
