// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the object violates the validation rules of its type (422). The message names the
 * invalid fields. Retries with the same object fail again.
 */
public final class InvalidException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with the server's message. This constructor is public so that tests can
   * create the exception.
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
