// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * An object of that name exists (409, reason {@code AlreadyExists}). Also what is heard after a
 * creation whose answer was lost and that was tried again: see whose it is before giving up.
 */
public final class AlreadyExistsException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates one as a server's answer leads to, for tests of code that handles it.
   *
   * @param message what the server said
   */
  public AlreadyExistsException(String message) {
    this(message, 409, refusal(message, 409, "AlreadyExists"));
  }

  AlreadyExistsException(String message, int code, @Nullable Status status) {
    super(message, code, status, null);
  }
}
