// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: intercepts every request before the client sends it to the server.
 *
 * <p>Hooks intercept writes, listeners collect metrics, and interceptors add renewed credentials.
 * {@link dev.windlass.client.transport.OwnWrites} records the program's own writes that the caches
 * have not received yet, and {@link dev.windlass.client.transport.ReconcileWrites} reports writes
 * to the reconcile that performs them. The requests of fabric8's client pass through unchanged,
 * unless a hook rejects them. Start with {@link dev.windlass.client.transport.HookedClients}.
 */
@NullMarked
package dev.windlass.client.transport;

import org.jspecify.annotations.NullMarked;
