// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.OneLine;
import dev.windlass.trouble.Advice;
import dev.windlass.trouble.Refusal;
import dev.windlass.trouble.Trouble;
import java.time.Duration;
import java.util.List;

/**
 * Why a list or a watch failed, in the terms in which the reflector and people decide what to do.
 *
 * @param reason what kind of failure, for programs
 * @param message what the server or the transport said
 * @param retryAfter how long the server asked to be left alone; zero if it did not
 * @param advice what it means and what to do, for people
 */
public record FeedFailure(Reason reason, String message, Duration retryAfter, Advice advice) {

  /** How much is kept of a message, so that a line of the log that quotes it stays below 1 KiB. */
  private static final int LONGEST_MESSAGE = 512;

  private static final String CUT = "...";

  /**
   * Makes one line of bounded length of the message, which others write and people read in logs.
   */
  public FeedFailure {
    message = OneLine.of(message, LONGEST_MESSAGE);
    if (message.length() > LONGEST_MESSAGE) {
      message = OneLine.cut(message, LONGEST_MESSAGE - CUT.length()) + CUT;
    }
  }

  /** A failure with the advice that goes with its reason. */
  public FeedFailure(Reason reason, String message, Duration retryAfter) {
    this(reason, message, retryAfter, Advice.of(reason.trouble));
  }

  /** The kinds of failures, as far as the reflector acts on them differently. */
  public enum Reason {
    /** 410: the version is too old to resume from. A new list cures it. */
    EXPIRED(Trouble.EXPIRED),
    /** 404: the server does not know the type. */
    UNKNOWN_TYPE(Trouble.UNKNOWN_TYPE),
    /** 403: RBAC. */
    FORBIDDEN(Trouble.FORBIDDEN),
    /** 401: the credentials are not accepted. */
    UNAUTHORIZED(Trouble.UNAUTHORIZED),
    /**
     * 504 with this cause: the server has not got to the version yet; it will, or time went back.
     */
    VERSION_TOO_LARGE(Trouble.VERSION_TOO_LARGE),
    /** 400 or 422: the server does not understand the request, or parts of it. */
    INVALID(Trouble.BAD_REQUEST),
    /** 429, or 503 with Retry-After: too many requests. */
    THROTTLED(Trouble.TOO_MANY_REQUESTS),
    /** The server can't be reached, or the connection broke. */
    UNREACHABLE(Trouble.UNREACHABLE),
    /** Nothing listens at the server's address, as while it restarts. */
    CONNECTION_REFUSED(Trouble.UNREACHABLE),
    /** The TLS handshake was refused by one side. */
    TLS(Trouble.TLS_NOT_TRUSTED),
    /** 5xx: the server has trouble of its own. */
    SERVER_ERROR(Trouble.SERVER_ERROR),
    /** The answer is no JSON, or ended in its middle. */
    MALFORMED(Trouble.MALFORMED),
    /** Nothing arrived for too long. */
    TIMEOUT(Trouble.TIMEOUT),
    /** The framework itself failed; the log says at what. */
    INTERNAL(Trouble.INTERNAL),
    /** Anything else. */
    OTHER(Trouble.OTHER);

    private final Trouble trouble;

    Reason(Trouble trouble) {
      this.trouble = trouble;
    }

    /** What it means, or what to do about it, in a sentence or two. */
    public String advice() {
      return Advice.of(trouble).toString();
    }
  }

  /** A failure without a request to wait. */
  public static FeedFailure of(Reason reason, String message) {
    return new FeedFailure(reason, message, Duration.ZERO);
  }

  /** The failure that an HTTP status stands for, if nothing but a message is known besides. */
  public static FeedFailure ofStatus(int code, String message, Duration retryAfter) {
    return ofRefusal(new Refusal(code, "", message, List.of(), ""), retryAfter);
  }

  /** The failure that an answer of the server stands for. */
  static FeedFailure ofRefusal(Refusal refusal, Duration retryAfter) {
    int code = refusal.code();
    Trouble trouble = refusal.trouble();
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
    if (trouble == Trouble.VERSION_TOO_LARGE) {
      reason = Reason.VERSION_TOO_LARGE;
    }
    boolean special = // else the reason says as much
        trouble == Trouble.WEBHOOK_FAILED || trouble == Trouble.ANONYMOUS;
    String said = refusal.message();
    return new FeedFailure(
        reason,
        "HTTP " + code + (said.isEmpty() ? "" : ": " + said),
        retryAfter,
        Advice.of(special ? trouble : reason.trouble));
  }

  /** The same, whose advice says what was asked for. */
  FeedFailure about(ListerWatcher source) {
    return new FeedFailure(reason, message, retryAfter, advice.about(source.access()));
  }

  /** The failure of a request that got no answer, or only a part of it. */
  public static FeedFailure ofTransport(Throwable failure) {
    return HttpFailure.ofTransport(failure);
  }

  /** What happened and what it means, for a log line. */
  @Override
  public String toString() {
    return advice + " (" + message + ")";
  }
}
