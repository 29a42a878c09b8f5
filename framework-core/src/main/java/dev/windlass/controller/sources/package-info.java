// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: manages the sources of a running controller: starts each of them, retries it until it
 * has synced, checks it, and stops it.
 *
 * <p>In: {@link dev.windlass.controller.enqueue.Source}s. Out: requests in the queue. Invariants: a
 * source that cannot start does not delay the others. Threads: one for each source until it has
 * synced. Previous: {@link dev.windlass.controller.building}. Next: {@link
 * dev.windlass.controller.running}.
 */
@NullMarked
package dev.windlass.controller.sources;

import org.jspecify.annotations.NullMarked;
