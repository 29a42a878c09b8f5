// SPDX-License-Identifier: Apache-2.0
/** Owned objects, finalizers and conditions, on both API servers. */
@NullMarked
package dev.windlass.tests.owned;

import org.jspecify.annotations.NullMarked;
