// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the HTTPS server that the API server calls.
 *
 * <p>The server receives POST requests with JSON bodies, and sends the responses of the path's
 * {@link dev.windlass.webhook.server.RequestHandler}. Slow clients, large bodies, and handlers that
 * hang or fail do not affect other requests. Jetty's threads receive the requests, and separate
 * threads run the handlers.
 */
@NullMarked
package dev.windlass.webhook.server;

import org.jspecify.annotations.NullMarked;
