// SPDX-License-Identifier: Apache-2.0
/** fabric8's mock server behind the common interface, for existing tests that use it. */
@NullMarked
package dev.windlass.testing.apiserver.mock;

import org.jspecify.annotations.NullMarked;
