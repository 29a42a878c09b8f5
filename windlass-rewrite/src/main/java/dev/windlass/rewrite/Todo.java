// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rewrite;

import org.openrewrite.java.JavaPrinter;
import org.openrewrite.java.tree.J;

/**
 * Creates {@code TODO} comments for code that must be converted manually. Each comment refers to
 * the migration guide.
 */
final class Todo {

  private Todo() {}

  /** Returns a comment with the given text and the URL of the heading. */
  static String line(String what, Heading heading) {
    return "// TODO Windlass: " + what + ", see " + heading.link();
  }

  /** Returns a comment that quotes code that must be converted manually. */
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
