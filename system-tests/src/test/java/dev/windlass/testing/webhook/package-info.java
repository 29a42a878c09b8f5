// SPDX-License-Identifier: Apache-2.0
/** The generated tests of conversions, on conversions that are correct and on ones that are not. */
@NullMarked
package dev.windlass.testing.webhook;

import org.jspecify.annotations.NullMarked;
