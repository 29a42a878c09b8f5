// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.Optional;
import org.openrewrite.Cursor;
import org.openrewrite.java.tree.J;

/** The compilation unit that is being converted, as a {@link Rule} sees it. */
interface Source {

  /** Returns the converted text of a child of the current node, without white space around it. */
  String text(J child);

  /**
   * Returns the text of the current node, or of a changed copy of it: the node itself stays as it
   * is, and the rules convert its children.
   */
  String withConvertedChildren(J node);

  /** Returns the text of a node, to which no rule is applied. The imports of its types stay. */
  String verbatim(J node);

  /**
   * Returns the name by which the unit refers to a type: the simple name, with an import, or the
   * full name if the simple name means another type.
   */
  String name(String type);

  /** Puts a {@code TODO} above the line of the current node. */
  void todo(String what, Heading heading);

  /** Returns the path to the current node, which is its value. */
  Cursor cursor();

  /** Returns the reconciler that the current node belongs to, as it was before the conversion. */
  Optional<J.ClassDeclaration> reconciler();

  /** Returns the white space at the beginning of the line of the current node. */
  String indent();

  /** Returns one step of indentation, as the unit uses it. */
  String step();
}
