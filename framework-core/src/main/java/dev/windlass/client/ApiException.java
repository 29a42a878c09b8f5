// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import static java.net.HttpURLConnection.HTTP_INTERNAL_ERROR;

import dev.windlass.failure.CauseChain;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the API server rejects a request or cannot be reached. Its subclasses represent the
 * failures that callers typically handle differently. This class itself represents all other
 * failures; use {@link #getCode()} to distinguish them. If the code is 0 or less, no usable
 * response arrived, and a write may have taken effect despite the exception.
 *
 * <p>This class extends fabric8's exception, so code that catches fabric8's exception continues to
 * work.
 */
public class ApiException extends KubernetesClientException {

  private static final long serialVersionUID = 1L;

  private static final int TOO_MANY_REQUESTS = 429;

  private final Duration retryAfter;

  /**
   * Creates an exception with the server's message and a status code. This constructor is public so
   * that tests can create the exception.
   *
   * @param message the server's message
   * @param code the HTTP status code, such as 500, or 0 if no response arrived
   */
  public ApiException(String message, int code) {
    this(message, code, Duration.ZERO);
  }

  /**
   * Creates an exception with the server's message, a status code and a requested delay. This
   * constructor is public so that tests can create the exception.
   *
   * @param message the server's message
   * @param code the HTTP status code, such as 503, or 0 if no response arrived
   * @param retryAfter the minimum delay before a retry, as requested by the server, or zero if the
   *     server did not request a delay
   */
  public ApiException(String message, int code, Duration retryAfter) {
    this(message, code, code <= 0 ? null : refusal(message, code, reason(code)), null, retryAfter);
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
    this(message, code, status, cause, Duration.ZERO);
  }

  ApiException(
      String message,
      int code,
      @Nullable Status status,
      @Nullable Throwable cause,
      Duration retryAfter) {
    super(message, cause, code, status, null);
    this.retryAfter = retryAfter;
  }

  /**
   * Returns the minimum delay before a retry, as requested by the server in the header {@code
   * Retry-After} or in the field {@code retryAfterSeconds} of its response. Returns zero if the
   * server did not request a delay. A controller whose reconcile fails with 429 or 5xx observes
   * this delay, up to 2 min.
   */
  public Duration retryAfter() {
    return retryAfter;
  }

  /**
   * Returns the longest delay that a server requested in the given failure or in one of its causes.
   * Considers responses with 429 and 5xx, as client-go does. Returns zero if no delay was
   * requested.
   */
  public static Duration retryAfter(Throwable failure) {
    return CauseChain.of(failure)
        .map(
            cause -> isBusy(cause) ? requestedBy((KubernetesClientException) cause) : Duration.ZERO)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  /**
   * Returns whether the given failure or one of its causes indicates an overloaded server: a
   * response with 429, or with 5xx and a requested delay.
   */
  public static boolean isOverload(Throwable failure) {
    return !retryAfter(failure).isZero()
        || CauseChain.of(failure)
            .anyMatch(
                cause ->
                    cause instanceof KubernetesClientException e
                        && e.getCode() == TOO_MANY_REQUESTS);
  }

  /**
   * Returns whether the server created no object because the given namespace is being deleted,
   * according to the given failure or one of its causes.
   */
  public static boolean isEndOf(String namespace, Throwable failure) {
    String message = "namespace " + namespace + " is being terminated"; // as in kube-apiserver
    return CauseChain.find(failure, KubernetesClientException.class)
        .map(KubernetesClientException::getStatus)
        .map(Status::getDetails)
        .map(StatusDetails::getCauses)
        .filter(causes -> causes.stream().anyMatch(cause -> message.equals(cause.getMessage())))
        .isPresent();
  }

  private static boolean isBusy(Throwable cause) {
    return cause instanceof KubernetesClientException e
        && (e.getCode() == TOO_MANY_REQUESTS || e.getCode() >= HTTP_INTERNAL_ERROR);
  }

  private static Duration requestedBy(KubernetesClientException failure) {
    return failure instanceof ApiException ours
        ? ours.retryAfter()
        : inBody(failure.getStatus()); // fabric8's own exceptions do not contain the header
  }

  /** Returns the delay that the body of a response requests. */
  static Duration inBody(@Nullable Status status) {
    Integer seconds =
        status == null || status.getDetails() == null
            ? null
            : status.getDetails().getRetryAfterSeconds();
    return Duration.ofSeconds(seconds == null ? 0 : Math.max(0, seconds));
  }

  /** Returns a status in the same format as the response of an API server to a failed request. */
  static Status refusal(String message, int code, String reason) {
    return new StatusBuilder()
        .withStatus("Failure")
        .withMessage(message)
        .withReason(reason)
        .withCode(code)
        .build();
  }
}
