// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the HTTPS server that the API server calls.
 *
 * <p>The server receives POST requests with JSON, and responds with the result of the path's {@link
 * dev.windlass.webhook.server.RequestHandler}. Slow clients, large bodies, and handlers that hang
 * or fail do not affect other requests. Jetty's threads receive requests; threads of this package
 * run the handlers.
 */
@NullMarked
package dev.windlass.webhook.server;

import org.jspecify.annotations.NullMarked;
