// SPDX-License-Identifier: Apache-2.0
/**
 * Adapts fabric8's mock server to {@link dev.windlass.testing.apiserver.TestApiServer}, for
 * existing tests that use the mock server.
 */
@NullMarked
package dev.windlass.testing.apiserver.mock;

import org.jspecify.annotations.NullMarked;
