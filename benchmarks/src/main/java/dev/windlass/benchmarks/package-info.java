// SPDX-License-Identifier: Apache-2.0
/**
 * The benchmarks of Windlass. Each result is a ratio of alternatives that were measured in the same
 * run.
 */
@NullMarked
package dev.windlass.benchmarks;

import org.jspecify.annotations.NullMarked;
