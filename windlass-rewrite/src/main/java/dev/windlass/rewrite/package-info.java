// SPDX-License-Identifier: Apache-2.0
/**
 * Converts the sources of an operator to Windlass, as a recipe of OpenRewrite.
 *
 * <p>Input: a compilation unit with the types that its class path gives it. Output: the unit with
 * the calls of the other library replaced, and a {@code TODO} above each line that needs a person.
 * Invariant: nothing is dropped without a {@code TODO}. OpenRewrite calls the recipe on one thread.
 *
 * <p>{@link dev.windlass.rewrite.FromJavaOperatorSdk} finds the units, {@code ConvertingPrinter}
 * prints them, and asks each {@code Rule} for the text of each node. Read them in this order.
 */
@NullMarked
package dev.windlass.rewrite;

import org.jspecify.annotations.NullMarked;
