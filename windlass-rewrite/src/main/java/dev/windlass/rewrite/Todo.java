// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import org.openrewrite.java.JavaPrinter;
import org.openrewrite.java.tree.J;

/** The comment that names what a person has to convert, and the part of the guide that helps. */
final class Todo {

  private Todo() {}

  /** Returns the comment. */
  static String line(String what, Heading heading) {
    return "// TODO Windlass: " + what + ", see " + heading.link();
  }

  /** Returns the comment for a piece of code that stays as it is or is quoted. */
  static String convert(J node, Heading heading) {
    return line("convert " + quoted(node), heading);
  }

  /** Returns the original text of a node on one line. */
  static String quoted(J node) {
    return node.printTrimmed(new JavaPrinter<>())
        .replaceAll("\\s+", " ")
        .replace(" .", ".")
        .strip();
  }
}
