// SPDX-License-Identifier: Apache-2.0
/** Managers and controllers as a whole, on API servers. */
@NullMarked
package dev.windlass.testing.manager;

import org.jspecify.annotations.NullMarked;
