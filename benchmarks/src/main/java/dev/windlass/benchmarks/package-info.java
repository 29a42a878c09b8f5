// SPDX-License-Identifier: Apache-2.0
/** Benchmarks. Each result is a ratio of alternatives measured in the same run. */
@NullMarked
package dev.windlass.benchmarks;

import org.jspecify.annotations.NullMarked;
