// SPDX-License-Identifier: Apache-2.0

/** Tests of the driver of {@code benchmarks/compare}. */
package dev.windlass.benchmarks.compare;
