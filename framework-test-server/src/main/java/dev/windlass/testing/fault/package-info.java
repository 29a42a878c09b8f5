// SPDX-License-Identifier: Apache-2.0
/**
 * Network faults between a client and its server, simulated by {@link
 * dev.windlass.testing.fault.TcpProxy}.
 *
 * <p>The proxy forwards the connections to a loopback port. Calls from a test change the {@code
 * NetworkConditions} of a {@code Network}. Bytes can be lost, delayed or cut off, but are never
 * altered or reordered. Each connection is a {@code ProxiedConnection} with its own threads. All
 * connections share the network.
 */
@NullMarked
package dev.windlass.testing.fault;

import org.jspecify.annotations.NullMarked;
