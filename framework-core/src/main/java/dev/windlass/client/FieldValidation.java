// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

/** Determines how the server handles unknown and duplicate fields in a write. */
public enum FieldValidation {
  /** The server silently drops the fields. */
  IGNORE("Ignore"),
  /**
   * The server drops the fields and adds a warning to the response. This is the server's default.
   */
  WARN("Warn"),
  /** The server rejects the write. */
  STRICT("Strict");

  private final String text;

  FieldValidation(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}
