// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the server rejects a request because it has received too many requests (429), or if an
 * eviction would violate a disruption budget.
 */
public final class TooManyRequestsException extends ApiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with the server's message. This constructor is public so that tests can
   * create the exception.
   *
   * @param message the server's message
   * @param retryAfter the minimum delay before a retry, as requested by the server, or zero if the
   *     server did not request a delay
   */
  public TooManyRequestsException(String message, Duration retryAfter) {
    this(message, 429, refusal(message, 429, "TooManyRequests"), retryAfter);
  }

  TooManyRequestsException(String message, int code, @Nullable Status status, Duration retryAfter) {
    super(message, code, status, null, retryAfter);
  }
}
