// SPDX-License-Identifier: Apache-2.0
/**
 * The sources of a controller while it runs: each is started, retried until it has synced, watched,
 * and stopped.
 *
 * <p>In: {@link dev.windlass.controller.enqueue.Source}s. Out: requests in the queue. Invariants: a
 * source that cannot start does not hold up the others. Threads: one for each source until it has
 * synced. Previous: {@link dev.windlass.controller.building}. Next: {@link
 * dev.windlass.controller.running}.
 */
@NullMarked
package dev.windlass.controller.sources;

import org.jspecify.annotations.NullMarked;
