// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import dev.windlass.object.OneLine;

/** Text as JSON has it. Stateless. */
final class Quoted {

  private Quoted() {}

  /** The text between quotes; what could harm a terminal, or break the line, is escaped. */
  static String of(String text) {
    return '"' + OneLine.of(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
  }
}
