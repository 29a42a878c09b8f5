// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: a transport for fabric8's client. It uses HTTP/1.1 and blocking sockets.
 *
 * <p>The package sends the requests of fabric8's client. It returns each response in parts, as the
 * caller requests them. A connection serves one request at a time. It is reused only after the
 * response has been read completely. Each connection has its own thread, which connects, sends the
 * request, and passes the response to its consumer. Start with {@link
 * dev.windlass.transport.Connection}.
 */
@NullMarked
package dev.windlass.transport;

import org.jspecify.annotations.NullMarked;
