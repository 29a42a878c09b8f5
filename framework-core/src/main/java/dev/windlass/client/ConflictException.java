// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * The object has changed since it was read (409): a new attempt on its new state will do. See
 * {@link Conflicts#retry}.
 */
public final class ConflictException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates one as a server's answer leads to, for tests of code that handles it.
   *
   * @param message what the server said
   */
  public ConflictException(String message) {
    this(message, 409, refusal(message, 409, "Conflict"));
  }

  ConflictException(String message, int code, @Nullable Status status) {
    super(message, code, status, null);
  }
}
