// SPDX-License-Identifier: Apache-2.0
/**
 * Simulates faults between a client and its server. {@link dev.windlass.testing.fault.TcpProxy}
 * simulates a faulty network. {@link dev.windlass.testing.fault.FaultProxy} reads the requests, and
 * injects faults into selected requests and watch events.
 *
 * <p>The TCP proxy forwards connections to a loopback port. A test changes the {@code
 * NetworkConditions} of its {@code Network}, which all connections share. Each connection is a
 * {@code ProxiedConnection} with its own threads. Data can be lost, delayed or cut off, but is
 * never altered or reordered.
 */
@NullMarked
package dev.windlass.testing.fault;

import org.jspecify.annotations.NullMarked;
