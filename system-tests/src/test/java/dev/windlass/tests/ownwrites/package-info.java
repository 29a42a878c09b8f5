// SPDX-License-Identifier: Apache-2.0
/** Reads contain the own writes, whatever the cache holds. */
@NullMarked
package dev.windlass.tests.ownwrites;

import org.jspecify.annotations.NullMarked;
