// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli;

import dev.windlass.logging.OneLine;

/** Quotes text as a JSON string. Stateless. */
final class JsonString {

  private JsonString() {}

  /** Returns the text in quotes; escapes characters that could break the line or the terminal. */
  static String of(String text) {
    return '"' + OneLine.of(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
  }
}
