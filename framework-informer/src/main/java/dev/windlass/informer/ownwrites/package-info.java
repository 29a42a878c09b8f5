// SPDX-License-Identifier: Apache-2.0
/**
 * Reads of own writes: presents the cache as it will be when the watch has caught up with the
 * writes of this process.
 *
 * <p>In: the responses to writes, and each change of the store. Out: an {@link
 * dev.windlass.informer.ownwrites.Overlay} over the store. Invariants: a read never returns a state
 * older than a write with a response; overlaid states are bounded, and are dropped as soon as the
 * watch confirms them. Threads: any thread may read and report writes; the informer's loop reports
 * changes.
 */
@NullMarked
package dev.windlass.informer.ownwrites;

import org.jspecify.annotations.NullMarked;
