// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: decides which caches can answer a read of the client.
 *
 * <p>The package receives the scope of a read ({@link dev.windlass.client.cache.ReadScope}) and the
 * part of each object that the reader requests ({@link dev.windlass.client.cache.ObjectView}). It
 * returns the caches that are certain to hold all these objects. All methods run on the caller's
 * thread. Next, read {@code dev.windlass.client.CacheReader}, which reads from the caches.
 */
@NullMarked
package dev.windlass.client.cache;

import org.jspecify.annotations.NullMarked;
