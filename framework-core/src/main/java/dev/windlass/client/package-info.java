// SPDX-License-Identifier: Apache-2.0
/**
 * The client: how a reconciler reads the world and writes to it.
 *
 * <p>In: calls of reconcilers. Out: typed objects, read from the caches where there is one, and
 * requests to the API server for everything else. Invariants: a read never waits for a cache, and
 * is never older than what this process wrote. Threads: the caller's; answers to writes are noted
 * by those of the transport. Read first: {@code CachedClient}, then {@code LiveClient}; {@code
 * Coverage} decides which caches answer a read, and {@code AppliedStates} which applies are left
 * out; {@code HookedHttpClient} and {@code OwnWrites} see to the second invariant. {@code TlsFiles}
 * is about the connections: the CA and the certificate, which may be replaced at any time.
 */
@NullMarked
package dev.windlass.client;

import org.jspecify.annotations.NullMarked;
