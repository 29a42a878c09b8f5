// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import org.jspecify.annotations.Nullable;

/** Thrown if an object cannot be converted. The API server sends the message to the client. */
final class ConversionFailure extends Exception {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param problem the problem, without the name of the object and without any of its values
   * @param cause the cause, whose message is never revealed; null if there is none
   */
  ConversionFailure(String problem, @Nullable Throwable cause) {
    super(problem, cause == null ? null : withoutMessage(cause));
  }

  /**
   * Returns a replacement for a cause, without its message, which may quote a value of an object.
   */
  private static Throwable withoutMessage(Throwable cause) {
    Throwable stripped = new IllegalArgumentException(cause.getClass().getName());
    stripped.setStackTrace(cause.getStackTrace());
    return stripped;
  }
}
