// SPDX-License-Identifier: Apache-2.0

/**
 * The driver of {@code benchmarks/compare}: runs one program per framework, each in its own
 * process, against a real API server and renders one table per scenario.
 */
@NullMarked
package dev.windlass.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
