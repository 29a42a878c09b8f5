// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import java.util.Optional;
import org.openrewrite.Cursor;
import org.openrewrite.java.tree.J;

/** Gives a {@link Rule} access to the compilation unit that is being converted. */
interface Source {

  /** Returns the converted text of a child of the current node, without white space around it. */
  String text(J child);

  /**
   * Returns the text of the current node, or of a changed copy of it. The rules convert the
   * children of the node, but not the node itself.
   */
  String withConvertedChildren(J node);

  /**
   * Returns the text of a node without applying any rule. Keeps the imports of the types in the
   * text.
   */
  String verbatim(J node);

  /**
   * Returns the name by which the unit refers to a type: the simple name, with an import, or the
   * full name if the simple name refers to another type.
   */
  String name(String type);

  /** Adds a {@code TODO} above the line of the current node. */
  void todo(String what, Heading heading);

  /** Returns the path to the current node. The value of the cursor is this node. */
  Cursor cursor();

  /**
   * Returns the reconciler to which the current node belongs, in the state before the conversion.
   */
  Optional<J.ClassDeclaration> reconciler();

  /** Returns the white space at the beginning of the line of the current node. */
  String indent();

  /** Returns the white space of one level of indentation in the unit. */
  String step();
}
