// SPDX-License-Identifier: Apache-2.0
/**
 * API servers to test controllers on: embedded in this process, the real one, and fabric8's mock.
 *
 * <p>All three stand behind {@link dev.windlass.testing.apiserver.TestApiServer}, so one test class
 * runs on each of them; where a server lacks something, its {@link
 * dev.windlass.testing.apiserver.ServerCapabilities} say so and the test expects something else.
 */
@NullMarked
package dev.windlass.testing.apiserver;

import org.jspecify.annotations.NullMarked;
