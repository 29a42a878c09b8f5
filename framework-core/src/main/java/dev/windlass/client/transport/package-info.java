// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: intercepts every request on its way to the server: hooks around writes, listeners for
 * metrics, renewed credentials, and the program's own writes that the caches have not received yet.
 *
 * <p>In: the requests of fabric8's client. Out: the same requests, unless a hook rejects them. Read
 * {@link dev.windlass.client.transport.HookedClients} first.
 */
@NullMarked
package dev.windlass.client.transport;

import org.jspecify.annotations.NullMarked;
