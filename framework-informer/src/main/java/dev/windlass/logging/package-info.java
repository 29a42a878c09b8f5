// SPDX-License-Identifier: Apache-2.0
/**
 * Makes text written by others safe for logs and messages: one line, of bounded length, without
 * control characters.
 */
@NullMarked
package dev.windlass.logging;

import org.jspecify.annotations.NullMarked;
