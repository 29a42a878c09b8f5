// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if an object of that name already exists (409, reason {@code AlreadyExists}). A creation
 * that is retried after its response was lost fails in the same way, so check the owner of the
 * object before giving up.
 */
public final class AlreadyExistsException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception for a server's response; for tests of code that handles it.
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
