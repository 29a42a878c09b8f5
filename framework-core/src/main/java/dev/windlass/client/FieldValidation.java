// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

/** What the server makes of fields in a write that the type does not have, or has twice. */
public enum FieldValidation {
  /** They are dropped without a word. */
  IGNORE("Ignore"),
  /** They are dropped, and the answer carries a warning; what the server does by default. */
  WARN("Warn"),
  /** The write is refused. */
  STRICT("Strict");

  private final String text;

  FieldValidation(String text) {
    this.text = text;
  }

  /** As it stands in a request. */
  String text() {
    return text;
  }
}
