// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a write conflicts with the current state of the object (409), for example because the
 * object has changed since the caller read it. Retry with the object's current state; see {@link
 * Conflicts#retry}.
 */
public final class ConflictException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with the server's message. This constructor is public so that tests can
   * create the exception.
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
