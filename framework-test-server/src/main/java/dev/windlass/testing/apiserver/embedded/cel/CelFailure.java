// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

/**
 * Thrown if an expression cannot be compiled or evaluated. The message has the same wording as in
 * the real server.
 */
final class CelFailure extends Exception {
  private static final long serialVersionUID = 1L;

  CelFailure(String message) {
    super(message, null, false, false);
  }

  /** Returns the message, which is never null. */
  String text() {
    return String.valueOf(getMessage());
  }
}
