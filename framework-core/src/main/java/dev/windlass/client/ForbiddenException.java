// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * The server does not allow it (403): a right is missing, a quota is used up, an admission policy
 * says no, or the namespace is being deleted. The message says which; trying again at once is no
 * use.
 */
public final class ForbiddenException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates one as a server's answer leads to, for tests of code that handles it.
   *
   * @param message what the server said
   */
  public ForbiddenException(String message) {
    this(message, 403, refusal(message, 403, "Forbidden"));
  }

  ForbiddenException(String message, int code, @Nullable Status status) {
    super(message, code, status, null);
  }
}
