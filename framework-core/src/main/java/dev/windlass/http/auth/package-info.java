// SPDX-License-Identifier: Apache-2.0
/**
 * Who may read the pages of an endpoint, decided by the API server.
 *
 * <p>In: the token of a request and the path that it asks for. Out: a refusal, or none. Invariant:
 * without a clear yes of the API server, or one that is remembered for a short time, nobody passes.
 * Threads: those of the endpoint, which wait for the API server. Read on: {@code
 * dev.windlass.health}.
 */
@NullMarked
package dev.windlass.http.auth;

import org.jspecify.annotations.NullMarked;
