// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import dev.windlass.failure.ErrorResponse;
import dev.windlass.failure.FailureAdvice;
import dev.windlass.failure.FailureCause;
import dev.windlass.logging.OneLine;
import java.time.Duration;
import java.util.Optional;

/**
 * The server's reply to a request.
 *
 * @param code the HTTP status, or 0 if no response arrived
 * @param value the content of a successful response
 * @param cause the cause of a failure
 * @param message the description of a failure, in one line
 * @param retryAfter the delay that the server requests before a retry; zero if it specifies none
 * @param continueToken the token to continue a paginated list after its snapshot has expired; empty
 *     if the server has not provided one
 * @param <T> the type of {@code value}
 */
record Reply<T>(
    int code,
    Optional<T> value,
    Optional<FailureCause> cause,
    String message,
    Duration retryAfter,
    String continueToken) {

  static final int NO_RESPONSE = 0;
  static final int CONFLICT = 409;
  static final int GONE = 410;
  static final int TOO_MANY_REQUESTS = 429;
  static final int INTERNAL_ERROR = 500;

  /** The maximum length of a server message. */
  private static final int LONGEST_MESSAGE = 512;

  static <T> Reply<T> success(T value) {
    return new Reply<>(200, Optional.of(value), Optional.empty(), "", Duration.ZERO, "");
  }

  static <T> Reply<T> refused(ErrorResponse error, Duration retryAfter, String continueToken) {
    String said = error.message().isEmpty() ? "HTTP " + error.code() : error.message();
    return new Reply<>(
        error.code(),
        Optional.empty(),
        Optional.of(error.problem()),
        OneLine.of(said, LONGEST_MESSAGE),
        retryAfter,
        continueToken);
  }

  static <T> Reply<T> noResponse(FailureCause cause, String message) {
    return new Reply<>(
        NO_RESPONSE,
        Optional.empty(),
        Optional.of(cause),
        "no response: " + OneLine.of(message, LONGEST_MESSAGE),
        Duration.ZERO,
        "");
  }

  /** Returns advice on how to correct the failure, or an empty string if there is no failure. */
  String advice() {
    return cause.map(known -> FailureAdvice.of(known).toString()).orElse("");
  }

  /**
   * Returns whether the request failed because another client has changed or deleted its object.
   */
  boolean isChanged() {
    return isGone()
        || (code == CONFLICT
            && cause.filter(known -> known == FailureCause.ADMISSION_REFUSED).isEmpty());
  }

  /**
   * Returns whether an API server states that the object does not exist. Any other 404, such as
   * that of a proxy, says nothing about the object.
   */
  boolean isGone() {
    return cause.filter(known -> known == FailureCause.NOT_FOUND).isPresent();
  }

  /**
   * Returns whether the same request would also fail for other objects: the server is overloaded or
   * unreachable, or the program does not have permission for the operation.
   */
  boolean isGeneral() {
    return switch (code) {
      case NO_RESPONSE, 401, TOO_MANY_REQUESTS, 502, 503, 504 -> true;
      case 403 -> cause.filter(known -> known == FailureCause.FORBIDDEN).isPresent();
      default -> false;
    };
  }
}
