// SPDX-License-Identifier: Apache-2.0
/** Declarations of conversions, and a type with several versions for the tests. */
@NullMarked
package dev.windlass.webhook.conversion;

import org.jspecify.annotations.NullMarked;
