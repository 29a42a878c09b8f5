// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the server forbids a request (403). Possible causes are a missing permission, an
 * exhausted quota, an admission policy, or a namespace that is being deleted. The message states
 * the cause. Retries fail until the cause has been removed.
 */
public final class ForbiddenException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with the server's message. This constructor is public so that tests can
   * create the exception.
   *
   * @param message the server's message
   */
  public ForbiddenException(String message) {
    this(message, 403, refusal(message, 403, "Forbidden"));
  }

  ForbiddenException(String message, int code, @Nullable Status status) {
    super(message, code, status, null);
  }
}
