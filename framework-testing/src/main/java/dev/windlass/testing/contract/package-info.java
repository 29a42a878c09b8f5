// SPDX-License-Identifier: Apache-2.0
/**
 * Contracts of the interfaces that users can implement, as abstract JUnit classes. A test for an
 * implementation extends the contract and supplies the implementation and its server.
 *
 * <p>The package depends only on the reflector's package and on JUnit. All code runs on the test's
 * thread.
 */
@NullMarked
package dev.windlass.testing.contract;

import org.jspecify.annotations.NullMarked;
