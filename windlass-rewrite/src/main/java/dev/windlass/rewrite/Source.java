// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.Optional;
import org.openrewrite.Cursor;
import org.openrewrite.java.tree.J;

/** Gives a {@link Rule} access to the compilation unit that is being converted. */
interface Source {

  /**
   * Returns the converted text of a child of the current node, without leading and trailing white
   * space.
   */
  String text(J child);

  /**
   * Returns the text of the current node, or of a changed copy of this node. The rules are applied
   * to the children of the node, but not to the node itself.
   */
  String withConvertedChildren(J node);

  /**
   * Returns the text of a node without applying rules. Keeps the imports of the types that the text
   * contains.
   */
  String verbatim(J node);

  /**
   * Returns the name with which the unit refers to a type. This is the simple name, for which an
   * import is added if necessary. If the simple name refers to another type, it is the full name.
   */
  String name(String type);

  /**
   * Adds a {@code TODO} comment above the line of the current node.
   *
   * @param what the task, such as "convert this method"
   * @param heading the heading of the migration guide to which the comment refers
   */
  void todo(String what, Heading heading);

  /**
   * Returns the cursor, whose value is the current node. It provides the path from the root to this
   * node.
   */
  Cursor cursor();

  /**
   * Returns the original class of the reconciler that contains the current node, or empty if the
   * enclosing class is not a reconciler.
   */
  Optional<J.ClassDeclaration> reconciler();

  /** Returns the white space at the beginning of the line of the current node. */
  String indent();

  /** Returns the white space of one level of indentation in the unit. */
  String step();
}
