// SPDX-License-Identifier: Apache-2.0
/** Objects and log lines for the tests of this module. */
@NullMarked
package dev.windlass.testing.core;

import org.jspecify.annotations.NullMarked;
