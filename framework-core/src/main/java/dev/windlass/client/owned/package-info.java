// SPDX-License-Identifier: Apache-2.0
/**
 * What a reconciler does to the objects that it answers for: its own one, with finalizers and
 * conditions, and those that this one owns.
 *
 * <p>In: objects that were read. Out: changed objects, and as few writes as are needed. Invariants:
 * who owns an object is decided by uid; what somebody else wrote meanwhile is never overwritten
 * unseen; nothing is written if nothing differs. Threads: the caller's; no thread of its own.
 *
 * <p>Read next: {@code controller.reconcile}, where all this is used.
 */
@NullMarked
package dev.windlass.client.owned;

import org.jspecify.annotations.NullMarked;
