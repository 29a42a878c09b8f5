// SPDX-License-Identifier: Apache-2.0
/**
 * Makes external strings safe for logs and messages. The result is one line of limited length,
 * without control characters.
 */
@NullMarked
package dev.windlass.logging;

import org.jspecify.annotations.NullMarked;
