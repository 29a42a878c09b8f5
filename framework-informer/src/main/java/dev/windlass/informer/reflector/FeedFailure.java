// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.failure.ErrorResponse;
import dev.windlass.failure.FailureAdvice;
import dev.windlass.failure.FailureCause;
import dev.windlass.logging.OneLine;
import java.time.Duration;
import java.util.List;

/**
 * Describes the failure of a list or a watch.
 *
 * @param reason the kind of failure, which determines how the reflector responds
 * @param message the message from the server or the transport
 * @param retryAfter the delay that the server requested before a retry; zero if there is none
 * @param advice an explanation of the failure and its remedy
 */
public record FeedFailure(
    Reason reason, String message, Duration retryAfter, FailureAdvice advice) {

  /**
   * The maximum length of a message, in characters. The limit keeps log lines that contain the
   * message below 1 KiB.
   */
  private static final int LONGEST_MESSAGE = 512;

  private static final String CUT = "...";

  /**
   * Reduces the message to a single line of at most 512 characters, because the message comes from
   * the network and appears in logs.
   */
  public FeedFailure {
    message = OneLine.of(message, LONGEST_MESSAGE);
    if (message.length() > LONGEST_MESSAGE) {
      message = OneLine.cut(message, LONGEST_MESSAGE - CUT.length()) + CUT;
    }
  }

  /** Creates a failure with the advice for the given reason. */
  public FeedFailure(Reason reason, String message, Duration retryAfter) {
    this(reason, message, retryAfter, FailureAdvice.of(reason.problem));
  }

  /** The kinds of failure that the reflector handles differently. */
  public enum Reason {
    /** The server responded with 410: the resource version has expired. A new list is required. */
    EXPIRED(FailureCause.EXPIRED),
    /** The server responded with 404: it does not serve the type. */
    UNKNOWN_TYPE(FailureCause.UNKNOWN_TYPE),
    /** The server responded with 405: it offers no watch for the type. */
    NO_WATCH(FailureCause.NO_WATCH),
    /** The server responded with 403: RBAC denied the request. */
    FORBIDDEN(FailureCause.FORBIDDEN),
    /** The server responded with 401: it did not accept the credentials. */
    UNAUTHORIZED(FailureCause.UNAUTHORIZED),
    /**
     * The server responded with 504 and the cause {@code ResourceVersionTooLarge}: the requested
     * version is later than the server's current version. The server lags behind, or was restored
     * from a backup.
     */
    VERSION_TOO_LARGE(FailureCause.VERSION_TOO_LARGE),
    /** The server responded with 400 or 422: it did not understand the request or parts of it. */
    INVALID(FailureCause.BAD_REQUEST),
    /**
     * The server responded with 429, or with 503 and Retry-After: it received too many requests.
     */
    THROTTLED(FailureCause.TOO_MANY_REQUESTS),
    /** The server could not be reached, or the connection was lost. */
    UNREACHABLE(FailureCause.UNREACHABLE),
    /** No process is listening at the server's address, for example while the server restarts. */
    CONNECTION_REFUSED(FailureCause.UNREACHABLE),
    /** The client or the server rejected the TLS handshake. */
    TLS(FailureCause.TLS_NOT_TRUSTED),
    /**
     * The server responded with another 5xx status code, or ended a watch immediately without an
     * event.
     */
    SERVER_ERROR(FailureCause.SERVER_ERROR),
    /** The response is not JSON, or is incomplete. */
    MALFORMED(FailureCause.MALFORMED),
    /** The server did not send any data within the time limit. */
    TIMEOUT(FailureCause.TIMEOUT),
    /** The framework itself failed. The log contains the details. */
    INTERNAL(FailureCause.INTERNAL),
    /** The request failed for a reason that is not listed above. */
    OTHER(FailureCause.OTHER);

    private final FailureCause problem;

    Reason(FailureCause problem) {
      this.problem = problem;
    }

    /** Returns a short message that explains the failure, its remedy, or both. */
    public String advice() {
      return FailureAdvice.of(problem).toString();
    }
  }

  /** Creates a failure for which the server did not request a retry delay. */
  public static FeedFailure of(Reason reason, String message) {
    return new FeedFailure(reason, message, Duration.ZERO);
  }

  /** Creates the failure for the given HTTP status code and message. */
  public static FeedFailure ofStatus(int code, String message, Duration retryAfter) {
    return ofRefusal(new ErrorResponse(code, "", message, List.of(), "", ""), retryAfter);
  }

  /** Creates the failure for the given error response from the server. */
  public static FeedFailure ofRefusal(ErrorResponse refusal, Duration retryAfter) {
    int code = refusal.code();
    FailureCause problem = refusal.problem();
    Reason reason =
        switch (code) {
          case 400, 422 -> Reason.INVALID;
          case 401 -> Reason.UNAUTHORIZED;
          case 403 -> Reason.FORBIDDEN;
          case 404 -> Reason.UNKNOWN_TYPE;
          case 405 -> problem == FailureCause.NO_WATCH ? Reason.NO_WATCH : Reason.OTHER;
          case 410 -> Reason.EXPIRED;
          case 429 -> Reason.THROTTLED;
          case 503 -> retryAfter.isZero() ? Reason.SERVER_ERROR : Reason.THROTTLED;
          default -> code >= 500 ? Reason.SERVER_ERROR : Reason.OTHER;
        };
    if (problem == FailureCause.VERSION_TOO_LARGE) {
      reason = Reason.VERSION_TOO_LARGE;
    }
    FailureAdvice advice =
        switch (problem) { // in all other cases, the advice for the reason is equally specific
          case WEBHOOK_FAILED, ANONYMOUS, ADMISSION_REFUSED, FORBIDDEN, MALFORMED ->
              FailureAdvice.of(refusal);
          default -> FailureAdvice.of(reason.problem);
        };
    String said = refusal.message();
    return new FeedFailure(
        reason, "HTTP " + code + (said.isEmpty() ? "" : ": " + said), retryAfter, advice);
  }

  /**
   * Returns a copy of this failure with advice for the given source. If a missing permission may be
   * the cause, the advice names the permission that the source requires.
   */
  FeedFailure about(ListerWatcher source) {
    return new FeedFailure(reason, message, retryAfter, advice.about(source.access()));
  }

  /** Returns the advice and the message, for use in log messages. */
  @Override
  public String toString() {
    return advice + " (" + message + ")";
  }
}
