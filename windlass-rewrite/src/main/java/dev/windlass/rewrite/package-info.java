// SPDX-License-Identifier: Apache-2.0
/**
 * A recipe of OpenRewrite that converts the sources of an operator from the Java Operator SDK to
 * Windlass.
 *
 * <p>The recipe receives a compilation unit in which the types on its class path are resolved. It
 * returns the unit with the calls of the Java Operator SDK replaced, and with a {@code TODO} above
 * each line that must be converted manually. The recipe drops nothing without a {@code TODO}.
 * OpenRewrite calls the recipe on one thread.
 *
 * <p>{@link dev.windlass.rewrite.FromJavaOperatorSdk} finds the units, and {@code
 * ConvertingPrinter} prints them, with the text that a {@code Rule} returns for a node. Read the
 * classes in this order.
 */
@NullMarked
package dev.windlass.rewrite;

import org.jspecify.annotations.NullMarked;
