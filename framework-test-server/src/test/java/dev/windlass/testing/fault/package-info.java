// SPDX-License-Identifier: Apache-2.0
/** Tests of the broken network, with plain sockets. */
@NullMarked
package dev.windlass.testing.fault;

import org.jspecify.annotations.NullMarked;
