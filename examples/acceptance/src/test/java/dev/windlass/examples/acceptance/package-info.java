// SPDX-License-Identifier: Apache-2.0
/**
 * The acceptance runs R1 to R12: the operators and the machinery under them on a real API server
 * with its controller manager, each run from its beginning to its end. {@link
 * dev.windlass.examples.acceptance.OnRealServer} is what all of them stand on.
 */
@NullMarked
package dev.windlass.examples.acceptance;

import org.jspecify.annotations.NullMarked;
