// SPDX-License-Identifier: Apache-2.0
/** Measurements. Figures are ratios of things measured side by side in one run. */
@NullMarked
package dev.windlass.benchmarks;

import org.jspecify.annotations.NullMarked;
