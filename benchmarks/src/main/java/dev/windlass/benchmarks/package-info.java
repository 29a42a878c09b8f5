// SPDX-License-Identifier: Apache-2.0
/**
 * The benchmarks of Windlass. A benchmark that compares alternatives measures all of them in the
 * same run.
 */
@NullMarked
package dev.windlass.benchmarks;

import org.jspecify.annotations.NullMarked;
