// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: authentication and authorisation of requests to an endpoint, decided by the API server.
 *
 * <p>In: the token of a request and the path it asks for. Out: a response that rejects the request,
 * or none. Invariant: a request is admitted only if the API server has allowed it, now or a short
 * time ago. Threads: those of the endpoint, which wait for the API server. Next: {@code
 * dev.windlass.health}.
 */
@NullMarked
package dev.windlass.http.auth;

import org.jspecify.annotations.NullMarked;
