// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.J;

/**
 * Converts one kind of code. For each node of the syntax tree, the {@link ConvertingPrinter} calls
 * the rules in order until one of them returns a text. If a rule returns a text, the printer does
 * not visit the node's children. The rule can obtain their converted text from the {@link Source}.
 */
@FunctionalInterface
interface Rule {

  /**
   * Returns the converted text of a node, without leading white space. Returns null if this rule
   * does not convert the node.
   */
  @Nullable String convert(J node, Source source);
}
