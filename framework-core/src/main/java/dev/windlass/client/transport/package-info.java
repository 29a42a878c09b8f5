// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: intercepts every request before the client sends it to the server.
 *
 * <p>Hooks intercept writes, listeners collect metrics, and interceptors add renewed credentials.
 * {@link dev.windlass.client.transport.OwnWrites} records the program's own writes until the caches
 * have received them. {@link dev.windlass.client.transport.ReconcileWrites} reports writes to the
 * reconcile that performs them. The hooks can reject requests of fabric8's client, but do not
 * change them. Start with {@link dev.windlass.client.transport.HookedClients}.
 */
@NullMarked
package dev.windlass.client.transport;

import org.jspecify.annotations.NullMarked;
