// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: decides which caches can answer a read of the client.
 *
 * <p>In: the scope of a read ({@link dev.windlass.client.cache.ReadScope}), and the part of each
 * object that the reader wants ({@link dev.windlass.client.cache.ObjectView}). Out: the caches that
 * are certain to hold all of it. Threads: the caller's. Next: {@code
 * dev.windlass.client.CacheReader}, which reads from them.
 */
@NullMarked
package dev.windlass.client.cache;

import org.jspecify.annotations.NullMarked;
