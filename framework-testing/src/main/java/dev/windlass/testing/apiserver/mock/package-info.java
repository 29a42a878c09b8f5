// SPDX-License-Identifier: Apache-2.0
/**
 * fabric8's mock server, adapted to the common interface for existing tests that use the mock
 * server.
 */
@NullMarked
package dev.windlass.testing.apiserver.mock;

import org.jspecify.annotations.NullMarked;
