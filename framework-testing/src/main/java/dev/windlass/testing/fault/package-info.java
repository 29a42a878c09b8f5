// SPDX-License-Identifier: Apache-2.0
/** Faults between a client and its server: {@link dev.windlass.testing.fault.TcpProxy}. */
@NullMarked
package dev.windlass.testing.fault;

import org.jspecify.annotations.NullMarked;
