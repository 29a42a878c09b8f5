// SPDX-License-Identifier: Apache-2.0
/**
 * An OpenRewrite recipe that converts the sources of an operator from the Java Operator SDK to
 * Windlass.
 *
 * <p>The recipe receives compilation units whose types have been resolved from their class path. It
 * replaces the code that uses the Java Operator SDK, and inserts a {@code TODO} comment above each
 * line that must be converted manually. It does not omit code without such a comment. OpenRewrite
 * calls the recipe on one thread.
 *
 * <p>{@link dev.windlass.rewrite.FromJavaOperatorSdk} finds the units to convert. {@code
 * ConvertingPrinter} prints a unit, and {@code Rule}s provide the text of the nodes that they
 * convert. Read the classes in this order.
 */
@NullMarked
package dev.windlass.rewrite;

import org.jspecify.annotations.NullMarked;
