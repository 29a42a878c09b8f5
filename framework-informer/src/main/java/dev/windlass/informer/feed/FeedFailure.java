// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import java.time.Duration;

/**
 * Why a list or a watch failed, in the terms in which the reflector and people decide what to do.
 *
 * @param reason what kind of failure
 * @param message what the server or the transport said
 * @param retryAfter how long the server asked to be left alone; zero if it did not
 */
public record FeedFailure(Reason reason, String message, Duration retryAfter) {

  /** How much is kept of a message: 1024 characters. */
  private static final int LONGEST_MESSAGE = 1024;

  /**
   * Makes one line of bounded length of the message, which others write and people read in logs.
   */
  public FeedFailure {
    if (message.length() > LONGEST_MESSAGE) {
      message = message.substring(0, LONGEST_MESSAGE) + "...";
    }
    message = message.replaceAll("[\\p{Cc}\\p{Cf}\u2028\u2029]+", " ");
  }

  /** The kinds of failures, each with what a person can do about it. */
  public enum Reason {
    /** 410: the version is too old to resume from. A new list cures it. */
    EXPIRED("The changes since the last known version are gone; everything is listed anew."),
    /** 404: the server does not know the type. */
    UNKNOWN_TYPE(
        "The server does not know this resource. Install its CRD, or correct the group and version"
            + " of the class."),
    /** 403: RBAC. */
    FORBIDDEN(
        "This identity may not read the resource. Grant it the verbs list and watch in a Role or"
            + " ClusterRole."),
    /** 401: the credentials are not accepted. */
    UNAUTHORIZED(
        "The server does not accept the credentials. Check the token or client certificate of the"
            + " kubeconfig or ServiceAccount."),
    /**
     * 504 with this cause: the server has not got to the version yet; it will, or time went back.
     */
    VERSION_TOO_LARGE("The server is behind the last known version."),
    /** 400 or 422: the server does not understand the request, or parts of it. */
    INVALID("The server does not accept the request as it is."),
    /** 429, or 503 with Retry-After: too many requests. */
    THROTTLED("The server asks for fewer requests."),
    /** The server can't be reached, or the connection broke. */
    UNREACHABLE("Check that the server's address is right and that it runs."),
    /** The TLS handshake was refused by one side. */
    TLS(
        "No secure connection to the server can be made. Check the CA that this client trusts and"
            + " its own certificate; files are read again without a restart."),
    /** 5xx: the server has trouble of its own. */
    SERVER_ERROR("The server has trouble of its own."),
    /** The answer is no JSON, or ended in its middle. */
    MALFORMED("The answer is not what an API server sends."),
    /** Nothing arrived for too long. */
    TIMEOUT("Nothing arrived for too long; the connection is given up."),
    /** The framework itself failed; the log says at what. */
    INTERNAL("Something in this process failed; see the log."),
    /** Anything else. */
    OTHER("The request was refused.");

    private final String advice;

    Reason(String advice) {
      this.advice = advice;
    }

    /** What it means, or what to do about it, in a sentence or two. */
    public String advice() {
      return advice;
    }
  }

  /** A failure without a request to wait. */
  public static FeedFailure of(Reason reason, String message) {
    return new FeedFailure(reason, message, Duration.ZERO);
  }

  /** The failure that an HTTP status, or the code of a {@code Status} object, stands for. */
  public static FeedFailure ofStatus(int code, String message, Duration retryAfter) {
    Reason reason =
        switch (code) {
          case 400, 422 -> Reason.INVALID;
          case 401 -> Reason.UNAUTHORIZED;
          case 403 -> Reason.FORBIDDEN;
          case 404 -> Reason.UNKNOWN_TYPE;
          case 410 -> Reason.EXPIRED;
          case 429 -> Reason.THROTTLED;
          case 503 -> retryAfter.isZero() ? Reason.SERVER_ERROR : Reason.THROTTLED;
          default -> code >= 500 ? Reason.SERVER_ERROR : Reason.OTHER;
        };
    String text = "HTTP " + code + (message.isEmpty() ? "" : ": " + message);
    return new FeedFailure(reason, text, retryAfter);
  }

  /** The failure of a request that got no answer, or only a part of it. */
  public static FeedFailure ofTransport(Throwable failure) {
    return HttpFailure.ofTransport(failure);
  }

  /** What happened and what it means, for a log line. */
  @Override
  public String toString() {
    return reason.advice() + " (" + message + ")";
  }
}
