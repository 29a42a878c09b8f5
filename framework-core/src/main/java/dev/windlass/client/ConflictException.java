// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the object has changed since it was read (409). Retry with the object's current state;
 * see {@link Conflicts#retry}.
 */
public final class ConflictException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with the server's message. Intended for testing code that handles this
   * exception.
   *
   * @param message the server's message
   */
  public ConflictException(String message) {
    this(message, 409, refusal(message, 409, "Conflict"));
  }

  ConflictException(String message, int code, @Nullable Status status) {
    super(message, code, status, null);
  }
}
