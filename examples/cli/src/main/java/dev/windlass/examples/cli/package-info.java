// SPDX-License-Identifier: Apache-2.0
/**
 * What the programs of the examples share: their switches, their log, and how they start and end.
 *
 * <p>Read {@code Operator} first, which is the base class of each program.
 */
@NullMarked
package dev.windlass.examples.cli;

import org.jspecify.annotations.NullMarked;
