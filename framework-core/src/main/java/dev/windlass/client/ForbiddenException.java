// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the server does not allow a request (403): a permission is missing, a quota is
 * exhausted, an admission policy rejects the request, or the namespace is being deleted. The
 * message names the cause; retrying immediately does not help.
 */
public final class ForbiddenException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception for a server's response; for tests of code that handles it.
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
