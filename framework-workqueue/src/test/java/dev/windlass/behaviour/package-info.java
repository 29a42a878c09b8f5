// SPDX-License-Identifier: Apache-2.0
/** What ties tests to the behaviours that they prove; for the tests of this project alone. */
@NullMarked
package dev.windlass.behaviour;

import org.jspecify.annotations.NullMarked;
