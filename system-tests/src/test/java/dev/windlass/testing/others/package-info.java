// SPDX-License-Identifier: Apache-2.0
/**
 * Programs without Windlass, an operator of the Java Operator SDK among them, on the test server.
 */
@NullMarked
package dev.windlass.testing.others;

import org.jspecify.annotations.NullMarked;
