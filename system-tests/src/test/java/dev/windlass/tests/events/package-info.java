// SPDX-License-Identifier: Apache-2.0
/** Event recorders, on API servers. */
@NullMarked
package dev.windlass.tests.events;

import org.jspecify.annotations.NullMarked;
