// SPDX-License-Identifier: Apache-2.0
/**
 * Abstract JUnit classes that test implementations of Windlass interfaces. To test an
 * implementation, extend the class for the interface, and provide the implementation and a server
 * for it.
 *
 * <p>The package depends only on the reflector's package and on JUnit. All code runs on the test's
 * thread.
 */
@NullMarked
package dev.windlass.testing.contract;

import org.jspecify.annotations.NullMarked;
