// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.logging.OneLine;

/** Quotes text as a JSON string. This class is stateless. */
final class JsonString {

  private JsonString() {}

  /**
   * Returns the text in quotes. This method escapes all characters that could break the line or
   * change the state of the terminal.
   */
  static String of(String text) {
    return '"' + OneLine.of(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
  }
}
