// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import org.jspecify.annotations.Nullable;

/**
 * The object breaks the rules of its type (422); the message names fields. The same object will
 * never be accepted.
 */
public final class InvalidException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates one as a server's answer leads to, for tests of code that handles it.
   *
   * @param message what the server said
   */
  public InvalidException(String message) {
    this(message, 422, refusal(message, 422, "Invalid"));
  }

  InvalidException(String message, int code, @Nullable Status status) {
    super(message, code, status, null);
  }
}
