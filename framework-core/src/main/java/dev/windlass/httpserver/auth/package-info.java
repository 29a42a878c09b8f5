// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: uses the API server to authenticate and authorise requests to an endpoint.
 *
 * <p>The package reads the token and the path of a request, and returns a response if it rejects
 * the request. A request is admitted only if the API server allows it. The API server's decisions
 * are cached for a short time. The code runs on the endpoint's threads, which wait for the API
 * server. Next, read {@code dev.windlass.health}.
 */
@NullMarked
package dev.windlass.httpserver.auth;

import org.jspecify.annotations.NullMarked;
