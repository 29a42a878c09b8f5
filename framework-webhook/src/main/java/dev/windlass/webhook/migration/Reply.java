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
 * @param continueToken the token with which a list can be continued although its state has expired
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
  static final int NOT_FOUND = 404;
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

  /** Returns how to correct a failure, in one sentence. */
  String advice() {
    return cause.map(known -> FailureAdvice.of(known).toString()).orElse("");
  }

  /**
   * Returns whether another client has changed or deleted the object of the request. The result is
   * false if an admission webhook or a policy denied the request, even if the status is also 404 or
   * 409.
   */
  boolean isChanged() {
    return (code == CONFLICT || code == NOT_FOUND)
        && cause.filter(known -> known == FailureCause.ADMISSION_REFUSED).isEmpty();
  }

  /**
   * Returns whether the failure does not depend on the object of the request: the server is
   * overloaded or unreachable, or does not permit the operation.
   */
  boolean isGeneral() {
    return switch (code) {
      case NO_RESPONSE, 401, TOO_MANY_REQUESTS, 502, 503, 504 -> true;
      case 403 -> cause.filter(known -> known == FailureCause.FORBIDDEN).isPresent();
      default -> false;
    };
  }
}
