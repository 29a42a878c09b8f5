// SPDX-License-Identifier: Apache-2.0
/** Virtual time for tests: {@link dev.windlass.testing.time.ManualScheduler}. */
@NullMarked
package dev.windlass.testing.time;

import org.jspecify.annotations.NullMarked;
