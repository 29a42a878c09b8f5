// SPDX-License-Identifier: Apache-2.0
/**
 * Faults between a client and its server: {@link dev.windlass.testing.fault.TcpProxy}.
 *
 * <p>In come the connections of a loopback port and the orders of a test; each connection is a
 * {@code Link} with threads of its own, and all share one {@code Network}, whose {@code Conditions}
 * the orders change. Bytes are lost, late or cut off, and never altered or swapped.
 */
@NullMarked
package dev.windlass.testing.fault;

import org.jspecify.annotations.NullMarked;
