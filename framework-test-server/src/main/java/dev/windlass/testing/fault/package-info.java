// SPDX-License-Identifier: Apache-2.0
/**
 * Faults between a client and its server. {@link dev.windlass.testing.fault.TcpProxy} simulates a
 * faulty network. {@link dev.windlass.testing.fault.FaultProxy} reads the requests, and injects
 * faults into chosen requests and watch events.
 *
 * <p>The TCP proxy forwards the connections to a loopback port. Calls from a test change the {@code
 * NetworkConditions} of a {@code Network}. Bytes can be lost, delayed or cut off, but are never
 * altered or reordered. Each connection is a {@code ProxiedConnection} with its own threads. All
 * connections share the network.
 */
@NullMarked
package dev.windlass.testing.fault;

import org.jspecify.annotations.NullMarked;
