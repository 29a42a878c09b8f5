// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the object violates the rules of its type (422); the message names the fields. The
 * server will never accept the same object.
 */
public final class InvalidException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception for a server's response; for tests of code that handles it.
   *
   * @param message the server's message
   */
  public InvalidException(String message) {
    this(message, 422, refusal(message, 422, "Invalid"));
  }

  InvalidException(String message, int code, @Nullable Status status) {
    super(message, code, status, null);
  }
}
