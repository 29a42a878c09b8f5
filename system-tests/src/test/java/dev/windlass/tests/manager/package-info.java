// SPDX-License-Identifier: Apache-2.0
/** Managers and controllers as a whole, on API servers. */
@NullMarked
package dev.windlass.tests.manager;

import org.jspecify.annotations.NullMarked;
