// SPDX-License-Identifier: Apache-2.0

/**
 * The driver of {@code benchmarks/compare}. It runs one program per framework against a real API
 * server, each in its own process, and renders one table per scenario.
 */
@NullMarked
package dev.windlass.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
