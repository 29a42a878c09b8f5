// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * There is no such object (404); or the server does not know the type, if its CRD is not installed.
 * Reads do not throw it: they return nothing.
 */
public final class NotFoundException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates one as a server's answer leads to, for tests of code that handles it.
   *
   * @param message what the server said
   */
  public NotFoundException(String message) {
    this(message, 404, refusal(message, 404, "NotFound"));
  }

  NotFoundException(String message, int code, @Nullable Status status) {
    super(message, code, status, null);
  }
}
