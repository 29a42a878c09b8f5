// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.jspecify.annotations.Nullable;

/**
 * The API server refused a request, or could not be asked. The subclasses are the answers that lead
 * to different decisions; whatever else went wrong is of this class itself, and {@link #getCode()}
 * tells more: 0 or less means that no answer came, so a write may have been done all the same.
 *
 * <p>It is one of fabric8's exceptions, so code that catches those goes on to work.
 */
public class ApiException extends KubernetesClientException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates one for tests of code that handles it: a failure of the server, say, with code 500.
   *
   * @param message what the server said
   * @param code of the answer; 0 if none came
   */
  public ApiException(String message, int code) {
    this(message, code, code <= 0 ? null : refusal(message, code, reason(code)), null);
  }

  private static String reason(int code) {
    return switch (code) {
      case 500 -> "InternalError";
      case 503 -> "ServiceUnavailable";
      case 504 -> "Timeout";
      default -> "Unknown";
    };
  }

  ApiException(String message, int code, @Nullable Status status, @Nullable Throwable cause) {
    super(message, cause, code, status, null);
  }

  /** A status as servers answer with it. */
  static Status refusal(String message, int code, String reason) {
    return new StatusBuilder()
        .withStatus("Failure")
        .withMessage(message)
        .withReason(reason)
        .withCode(code)
        .build();
  }
}
