// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: an HTTP/1.1 client over blocking sockets, as a transport for fabric8's client.
 *
 * <p>The package sends the requests of fabric8's client, and returns the responses piece by piece
 * as the caller demands them. A connection serves one request at a time, and serves another one
 * only after the response has been read completely. Each connection has its own thread, which
 * connects, sends the request, and calls the response's consumer. Start with {@link
 * dev.windlass.client.http.Connection}.
 */
@NullMarked
package dev.windlass.client.http;

import org.jspecify.annotations.NullMarked;
