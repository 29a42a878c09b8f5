// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.J;

/**
 * Converts one kind of code. A rule is applied to a node before rules are applied to the node's
 * children, and obtains the converted text of the children from the {@link Source}. The rules are
 * called in order until one of them returns a text.
 */
@FunctionalInterface
interface Rule {

  /**
   * Returns the text of a node without the white space before it, or null to leave the node to the
   * next rules.
   */
  @Nullable String convert(J node, Source source);
}
