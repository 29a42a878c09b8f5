// SPDX-License-Identifier: Apache-2.0
/** fabric8's mock server behind the common interface, for those who have tests on it already. */
@NullMarked
package dev.windlass.testing.apiserver.mock;

import org.jspecify.annotations.NullMarked;
