// SPDX-License-Identifier: Apache-2.0

/**
 * The driver of {@code benchmarks/compare}. It runs one program per framework, each in its own
 * process, against a real API server. It then renders one table per scenario.
 */
@NullMarked
package dev.windlass.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
