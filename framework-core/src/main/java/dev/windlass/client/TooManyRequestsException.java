// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the server rejects a request because it is overloaded (429), or if an eviction would
 * violate a disruption budget.
 */
public final class TooManyRequestsException extends ApiException {

  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  /**
   * Creates an exception with the server's message. This constructor is public for tests of code
   * that handles this exception.
   *
   * @param message the server's message
   * @param retryAfter the delay that the server requests before a retry; zero if it specifies none
   */
  public TooManyRequestsException(String message, Duration retryAfter) {
    this(message, 429, refusal(message, 429, "TooManyRequests"), retryAfter);
  }

  TooManyRequestsException(String message, int code, @Nullable Status status, Duration retryAfter) {
    super(message, code, status, null);
    this.retryAfter = retryAfter;
  }

  /** Returns the delay that the server requests before a retry, or zero if it specifies none. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
