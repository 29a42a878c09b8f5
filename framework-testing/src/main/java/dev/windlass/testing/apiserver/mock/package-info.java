// SPDX-License-Identifier: Apache-2.0
/** The mock server of fabric8, adapted to the common interface for existing tests that use it. */
@NullMarked
package dev.windlass.testing.apiserver.mock;

import org.jspecify.annotations.NullMarked;
