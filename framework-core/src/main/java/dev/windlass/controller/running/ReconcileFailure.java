// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.client.ApiException;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.failure.CauseChain;
import dev.windlass.failure.FailureAdvice;
import dev.windlass.logging.OneLine;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;

/**
 * The exception with which a reconcile failed, classified to determine the retry and the log line.
 *
 * @param exception the exception; its causes are examined as well
 */
record ReconcileFailure(Throwable exception) {

  /**
   * The maximum delay that a server can request: 2 min, as for lists and watches. The limit
   * prevents an unreasonable value from blocking an object.
   */
  static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(2);

  /**
   * The maximum length of an exception message in a log message, in characters. The stack trace is
   * logged in addition.
   */
  private static final int LONGEST = 600;

  private static final int TOO_MANY_REQUESTS = 429;
  private static final int FIRST_SERVER_ERROR = 500;

  /** Returns whether the reconciler has declared that a retry cannot succeed. */
  boolean isTerminal() {
    return CauseChain.contains(exception, TerminalException.class);
  }

  /**
   * Returns whether the server is overloaded: it responded with 429, or it responded with 5xx and
   * requested a delay.
   */
  boolean isOverload() {
    return !requestedDelay().isZero()
        || CauseChain.of(exception)
            .anyMatch(
                cause ->
                    cause instanceof KubernetesClientException e
                        && e.getCode() == TOO_MANY_REQUESTS);
  }

  /**
   * Returns the delay that the server requested in a response with 429 or 5xx, up to {@link
   * #LONGEST_RETRY_AFTER}. Returns zero if it requested no delay. client-go observes the delay for
   * the same status codes ({@code rest/request.go}).
   */
  Duration requestedDelay() {
    Duration longest =
        CauseChain.of(exception)
            .map(ReconcileFailure::requestedBy)
            .max(Duration::compareTo)
            .orElse(Duration.ZERO);
    return longest.compareTo(LONGEST_RETRY_AFTER) > 0 ? LONGEST_RETRY_AFTER : longest;
  }

  private static Duration requestedBy(Throwable cause) {
    if (!(cause instanceof KubernetesClientException refusal)
        || refusal.getCode() != TOO_MANY_REQUESTS && refusal.getCode() < FIRST_SERVER_ERROR) {
      return Duration.ZERO;
    }
    if (refusal instanceof ApiException ours) {
      return ours.retryAfter();
    }
    Status status = refusal.getStatus(); // fabric8's own exceptions do not contain the header
    Integer seconds =
        status == null || status.getDetails() == null
            ? null
            : status.getDetails().getRetryAfterSeconds();
    return Duration.ofSeconds(seconds == null ? 0 : Math.max(0, seconds));
  }

  /** Returns the message of the exception in one line. */
  String message() {
    String message = exception.getMessage();
    return OneLine.of(message == null ? exception.getClass().getSimpleName() : message, LONGEST);
  }

  /**
   * Returns the message in one line, followed by advice on the failure if the message does not
   * contain it. The result does not end with a full stop, because the log message continues.
   */
  String explanation() {
    boolean complete = CauseChain.contains(exception, ApiException.class);
    String advice =
        complete ? "" : FailureAdvice.of(exception).map(found -> ". " + found).orElse("");
    String text = message() + advice;
    return text.endsWith(".") && !text.endsWith("..") ? text.substring(0, text.length() - 1) : text;
  }
}
