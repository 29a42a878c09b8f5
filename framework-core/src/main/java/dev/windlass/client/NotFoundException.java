// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the API server states that the object does not exist (404). {@link Client#get} does not
 * throw this exception, but returns an empty result. Any other 404 is an {@link ApiException} with
 * that code: the namespace of a new object does not exist, the server does not serve the type or
 * the subresource, or a proxy has responded.
 */
public final class NotFoundException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with the server's message. This constructor is public so that tests can
   * create the exception.
   *
   * @param message the server's message
   */
  public NotFoundException(String message) {
    this(message, 404, refusal(message, 404, "NotFound"));
  }

  NotFoundException(String message, int code, @Nullable Status status) {
    super(message, code, status, null);
  }
}
