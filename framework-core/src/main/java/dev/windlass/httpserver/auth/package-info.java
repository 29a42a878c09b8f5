// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: authenticates and authorises requests to an endpoint by means of the API server.
 *
 * <p>The package reads the token of a request and the requested path, and returns a response if it
 * rejects the request. A request is admitted only if the API server has allowed it, now or a short
 * time ago. The code runs on the endpoint's threads, which wait for the API server. Next, read
 * {@code dev.windlass.health}.
 */
@NullMarked
package dev.windlass.httpserver.auth;

import org.jspecify.annotations.NullMarked;
