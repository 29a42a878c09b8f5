// SPDX-License-Identifier: Apache-2.0
/**
 * The client with which a reconciler reads and writes objects.
 *
 * <p>In: calls of reconcilers. Out: typed objects, read from a cache if there is one, and requests
 * to the API server for everything else. Invariants: a read never waits for a cache, and never
 * returns a state older than this process's own writes. Threads: the caller's; transport threads
 * record the responses to writes. Read first: {@code CachedClient}, then {@code LiveClient}; {@code
 * CoveringCaches} decides which caches answer a read, and {@code AppliedStates} which applies are
 * skipped; {@code HookedHttpClient} and {@code OwnWrites} ensure the second invariant. {@code
 * TlsFiles} handles the CA and the client certificate, which may be replaced at any time.
 */
@NullMarked
package dev.windlass.client;

import org.jspecify.annotations.NullMarked;
