// SPDX-License-Identifier: Apache-2.0
/**
 * The Hello operator: runs a Pod for each Hello, which prints that word as often as the Hello asks
 * for, and reports in the Hello's status what becomes of it. There are two of it, which differ in
 * how they learn that the Pod has ended: {@link dev.windlass.examples.hello.Variant}.
 */
@NullMarked
package dev.windlass.examples.hello;

import org.jspecify.annotations.NullMarked;
