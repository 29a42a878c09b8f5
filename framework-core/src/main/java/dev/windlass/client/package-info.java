// SPDX-License-Identifier: Apache-2.0
/**
 * The client that reconcilers use to read and write objects.
 *
 * <p>The client reads typed objects from a cache if there is one. It sends all other requests to
 * the API server. A read never waits for a cache, and never returns a version older than this
 * process's own writes. Calls run on the caller's threads. Transport threads record the responses
 * to writes.
 *
 * <p>Start with {@code CachedClient}, and then read {@code LiveClient}. {@code CacheSelector}
 * determines which caches can serve a read. {@code ApplyCache} detects apply requests that would
 * change nothing, so that the client can skip them. {@code Pipeline} and {@code OwnWrites} make
 * this process's own writes visible to its reads. {@code TlsFiles} reloads the CA and the client
 * certificate when their files are replaced.
 */
@NullMarked
package dev.windlass.client;

import org.jspecify.annotations.NullMarked;
