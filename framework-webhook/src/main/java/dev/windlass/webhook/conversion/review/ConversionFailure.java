// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import org.jspecify.annotations.Nullable;

/** Thrown if an object cannot be converted. The API server sends the message to the client. */
final class ConversionFailure extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param problem the description of the problem, which must not contain the name or a value of
   *     the object
   * @param cause the cause, or null if there is none; only its class and its stack trace are kept
   */
  ConversionFailure(String problem, @Nullable Throwable cause) {
    super(problem, cause == null ? null : withoutMessage(cause));
  }

  /**
   * Returns an exception with the class name and the stack trace of a cause. The message of the
   * cause is omitted, because it may quote a value of an object.
   */
  private static Throwable withoutMessage(Throwable cause) {
    Throwable stripped = new IllegalArgumentException(cause.getClass().getName());
    stripped.setStackTrace(cause.getStackTrace());
    return stripped;
  }
}
