// SPDX-License-Identifier: Apache-2.0
/**
 * Faults between a client and its server: {@link dev.windlass.testing.fault.TcpProxy}.
 *
 * <p>In: the connections to a loopback port, and the test's calls, which change the {@code
 * NetworkConditions} of a {@code Network}. Out: the same bytes, lost, late or cut off, but never
 * altered or reordered. Threads: each connection is a {@code ProxiedConnection} with its own
 * threads; all connections share the network.
 */
@NullMarked
package dev.windlass.testing.fault;

import org.jspecify.annotations.NullMarked;
