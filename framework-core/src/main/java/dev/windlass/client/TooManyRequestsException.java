// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the server is overloaded (429), or if an eviction would violate a disruption budget.
 */
public final class TooManyRequestsException extends ApiException {

  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  /**
   * Creates the exception for a server's response; for tests of code that handles it.
   *
   * @param message the server's message
   * @param retryAfter how long the server asks callers to wait; zero if it does not specify that
   */
  public TooManyRequestsException(String message, Duration retryAfter) {
    this(message, 429, refusal(message, 429, "TooManyRequests"), retryAfter);
  }

  TooManyRequestsException(String message, int code, @Nullable Status status, Duration retryAfter) {
    super(message, code, status, null);
    this.retryAfter = retryAfter;
  }

  /** Returns how long the server asks callers to wait; zero if it does not specify that. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
