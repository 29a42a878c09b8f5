// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The server has too much to do (429), or an eviction would break a disruption budget. */
public final class TooManyRequestsException extends ApiException {

  private static final long serialVersionUID = 1L;

  private final Duration retryAfter;

  /**
   * Creates one as a server's answer leads to, for tests of code that handles it.
   *
   * @param message what the server said
   * @param retryAfter how long it asks to wait; zero if it does not say
   */
  public TooManyRequestsException(String message, Duration retryAfter) {
    this(message, 429, refusal(message, 429, "TooManyRequests"), retryAfter);
  }

  TooManyRequestsException(String message, int code, @Nullable Status status, Duration retryAfter) {
    super(message, code, status, null);
    this.retryAfter = retryAfter;
  }

  /** How long the server asks to wait; zero if it does not say. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
