// SPDX-License-Identifier: Apache-2.0
/**
 * The code that the programs of the examples share: options, log, start and exit.
 *
 * <p>Start with {@code Operator}, the base class of each program.
 */
@NullMarked
package dev.windlass.examples.cli;

import org.jspecify.annotations.NullMarked;
