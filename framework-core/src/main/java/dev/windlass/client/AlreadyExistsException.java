// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if an object cannot be created because an object with the same name already exists (409,
 * reason {@code AlreadyExists}). A retried creation also fails with this exception if the first
 * attempt succeeded but its response was lost. Before you report an error, check the existing
 * object's owner.
 */
public final class AlreadyExistsException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with the server's message. This constructor is public so that tests can
   * create the exception.
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
