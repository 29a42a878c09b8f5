// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: manages the sources of a running controller. It starts each source, retries it until it
 * has synced, checks it, and stops it.
 *
 * <p>The {@link dev.windlass.controller.enqueue.Source}s put requests into the queue. A source that
 * cannot start does not delay the others. Each source has one thread until it has synced. The
 * previous package is {@link dev.windlass.controller.building}, and the next one is {@link
 * dev.windlass.controller.running}.
 */
@NullMarked
package dev.windlass.controller.sources;

import org.jspecify.annotations.NullMarked;
