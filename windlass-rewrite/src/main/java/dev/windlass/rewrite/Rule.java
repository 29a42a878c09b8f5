// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.J;

/**
 * Converts one kind of code. The {@link ConvertingPrinter} applies the rules to a node of the
 * syntax tree before it applies them to the node's children. It calls the rules in order until one
 * of them returns a text. A rule obtains the converted text of the children from the {@link
 * Source}.
 */
@FunctionalInterface
interface Rule {

  /**
   * Returns the converted text of a node, without the white space before it, or null if this rule
   * does not convert the node.
   */
  @Nullable String convert(J node, Source source);
}
