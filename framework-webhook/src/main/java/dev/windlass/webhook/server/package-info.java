// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: the HTTPS server that the API server calls.
 *
 * <p>Input: POST requests with JSON. Output: the response of the path's {@link
 * dev.windlass.webhook.server.RequestHandler}. Invariant: slow clients, large bodies, and handlers
 * that hang or fail do not affect other requests. Jetty's threads receive requests; threads of this
 * package run the handlers.
 */
@NullMarked
package dev.windlass.webhook.server;

import org.jspecify.annotations.NullMarked;
