// SPDX-License-Identifier: Apache-2.0
/**
 * The client: how a reconciler reads the world and writes to it.
 *
 * <p>In: calls of reconcilers. Out: typed objects, read from the caches where there is one, and
 * requests to the API server for everything else. Invariant: a read never waits for a cache.
 * Threads: the caller's.
 */
@NullMarked
package dev.windlass.client;

import org.jspecify.annotations.NullMarked;
