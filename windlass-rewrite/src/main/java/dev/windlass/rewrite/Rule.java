// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.J;

/**
 * Converts one concern. A rule sees each node before its children, and obtains the converted text
 * of the children from the {@link Source}. The first rule that returns a text wins.
 */
@FunctionalInterface
interface Rule {

  /**
   * Returns the text of a node without the white space before it, or null to leave the node to the
   * other rules.
   */
  @Nullable String convert(J node, Source source);
}
