// SPDX-License-Identifier: Apache-2.0
/**
 * The command-line interface of an operator: options, log, startup and exit code. {@code Operator}
 * parses the arguments, builds a manager, calls the program to register its controllers, and runs
 * the manager on the main thread.
 *
 * <p>Start with {@code Operator}, the base class of each program. {@code Program} contains the
 * program's defaults.
 */
@NullMarked
package dev.windlass.cli;

import org.jspecify.annotations.NullMarked;
