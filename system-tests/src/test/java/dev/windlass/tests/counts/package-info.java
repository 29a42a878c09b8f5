// SPDX-License-Identifier: Apache-2.0
/**
 * What the whole path costs, as counts that do not depend on the machine: writes, requests,
 * decodes, bytes and threads of the program that {@code benchmarks/compare} measures.
 */
@NullMarked
package dev.windlass.tests.counts;

import org.jspecify.annotations.NullMarked;
