// SPDX-License-Identifier: Apache-2.0
/**
 * The client with which a reconciler reads and writes objects.
 *
 * <p>The client returns typed objects from a cache if there is one, and sends requests to the API
 * server for everything else. A read never waits for a cache, and never returns a state older than
 * this process's own writes. Calls run on the caller's threads; transport threads record the
 * responses to writes.
 *
 * <p>Start with {@code CachedClient}, and then read {@code LiveClient}. {@code CacheSelector}
 * determines which caches can serve a read. {@code ApplyCache} determines which applies the client
 * can skip. {@code HookedHttpClient} and {@code OwnWrites} make reads include this process's own
 * writes. {@code TlsFiles} reloads the CA and the client certificate when their files are replaced.
 */
@NullMarked
package dev.windlass.client;

import org.jspecify.annotations.NullMarked;
