// SPDX-License-Identifier: Apache-2.0
/**
 * Contracts of the interfaces that users can implement, as abstract JUnit classes. A test of an
 * implementation extends the contract and supplies the implementation and its server.
 *
 * <p>The package depends on the feed and on JUnit only. The test's thread runs everything.
 */
@NullMarked
package dev.windlass.testing.contract;

import org.jspecify.annotations.NullMarked;
