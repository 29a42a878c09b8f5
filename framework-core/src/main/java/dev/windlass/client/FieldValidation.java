// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

/** How the server treats unknown and duplicate fields in a write. */
public enum FieldValidation {
  /** The server drops them silently. */
  IGNORE("Ignore"),
  /** The server drops them and adds a warning to the response. The server's default. */
  WARN("Warn"),
  /** The server rejects the write. */
  STRICT("Strict");

  private final String text;

  FieldValidation(String text) {
    this.text = text;
  }

  /** Returns the value as it appears in a request. */
  String text() {
    return text;
  }
}
