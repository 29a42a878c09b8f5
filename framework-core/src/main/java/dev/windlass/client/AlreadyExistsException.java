// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if an object of that name already exists (409, reason {@code AlreadyExists}). If the
 * response to a successful creation was lost, a retry of that creation also fails with this
 * exception. Check the owner of the existing object before you report an error.
 */
public final class AlreadyExistsException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with the server's message. This constructor is intended for tests of code
   * that handles the exception.
   *
   * @param message the server's message
   */
  public AlreadyExistsException(String message) {
    this(message, 409, refusal(message, 409, "AlreadyExists"));
  }

  AlreadyExistsException(String message, int code, @Nullable Status status) {
    super(message, code, status, null);
  }
}
