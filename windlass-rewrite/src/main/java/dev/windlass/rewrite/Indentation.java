// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import org.openrewrite.java.tree.J;

/** The width by which the lines of a unit are indented. */
final class Indentation {

  private static final String DEFAULT = "    ";

  private Indentation() {}

  /** Returns the indentation of the first member of the first class; four spaces if it has none. */
  static String stepOf(J.CompilationUnit unit) {
    return unit.getClasses().stream()
        .flatMap(type -> type.getBody().getStatements().stream())
        .map(member -> member.getPrefix().getIndent())
        .filter(indent -> !indent.isEmpty())
        .findFirst()
        .orElse(DEFAULT);
  }
}
