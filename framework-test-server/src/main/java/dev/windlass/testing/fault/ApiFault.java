// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.fault;

import java.time.Duration;

/** A fault that a {@link FaultProxy} injects into a request or into a watch stream. */
public final class ApiFault {

  /** The effect of the fault. */
  enum Kind {
    STATUS,
    HTML,
    LOSE_REQUEST,
    LOSE_RESPONSE,
    REPEAT,
    DELAY,
    DROP_EVENT,
    REPEAT_EVENT,
    DELAY_EVENT,
    CUT_IN_EVENT,
    HALF_OPEN,
    DROP_END_BOOKMARK
  }

  private final Kind kind;
  private final int code;
  private final Duration duration;

  private ApiFault(Kind kind, int code, Duration duration) {
    this.kind = kind;
    this.code = code;
    this.duration = duration;
  }

  private static ApiFault of(Kind kind) {
    return new ApiFault(kind, 0, Duration.ZERO);
  }

  /**
   * Returns a fault that responds with a Status object instead of forwarding the request. For
   * example, 401 simulates a rotated token, and 410 simulates a compacted resourceVersion.
   *
   * @param code an HTTP status code from 400 to 599
   */
  public static ApiFault status(int code) {
    return new ApiFault(Kind.STATUS, requireError(code), Duration.ZERO);
  }

  /**
   * Returns a fault that responds with 429 and a Retry-After header instead of forwarding the
   * request.
   *
   * @param retryAfter the delay in the header, in whole seconds
   */
  public static ApiFault tooManyRequests(Duration retryAfter) {
    return new ApiFault(Kind.STATUS, 429, retryAfter);
  }

  /**
   * Returns a fault that responds with an HTML page instead of forwarding the request, as a load
   * balancer does.
   *
   * @param code an HTTP status code from 400 to 599
   */
  public static ApiFault html(int code) {
    return new ApiFault(Kind.HTML, requireError(code), Duration.ZERO);
  }

  /** Returns a fault that closes the connection without forwarding the request. */
  public static ApiFault loseRequest() {
    return of(Kind.LOSE_REQUEST);
  }

  /**
   * Returns a fault that forwards the request, but closes the connection instead of returning the
   * response.
   */
  public static ApiFault loseResponse() {
    return of(Kind.LOSE_RESPONSE);
  }

  /** Returns a fault that forwards the request twice, and returns the second response. */
  public static ApiFault repeat() {
    return of(Kind.REPEAT);
  }

  /** Returns a fault that waits before forwarding the request. */
  public static ApiFault delay(Duration delay) {
    return new ApiFault(Kind.DELAY, 0, delay);
  }

  /** Returns a fault that drops one event of a watch. */
  public static ApiFault dropEvent() {
    return of(Kind.DROP_EVENT);
  }

  /** Returns a fault that delivers one event of a watch twice. */
  public static ApiFault repeatEvent() {
    return of(Kind.REPEAT_EVENT);
  }

  /** Returns a fault that delays one event of a watch and all subsequent events. */
  public static ApiFault delayEvent(Duration delay) {
    return new ApiFault(Kind.DELAY_EVENT, 0, delay);
  }

  /**
   * Returns a fault that delivers the first half of one watch event and then closes the connection.
   */
  public static ApiFault cutInEvent() {
    return of(Kind.CUT_IN_EVENT);
  }

  /**
   * Returns a fault that drops one event of a watch and all subsequent events, but leaves the
   * connection open. This simulates a firewall that has dropped the state of the connection.
   */
  public static ApiFault halfOpen() {
    return of(Kind.HALF_OPEN);
  }

  /** Returns a fault that drops the bookmark that marks the end of a watch's initial events. */
  public static ApiFault dropEndBookmark() {
    return of(Kind.DROP_END_BOOKMARK);
  }

  private static int requireError(int code) {
    if (code < 400 || code > 599) {
      throw new IllegalArgumentException("not an HTTP error: " + code + "; use 400 to 599");
    }
    return code;
  }

  Kind kind() {
    return kind;
  }

  int code() {
    return code;
  }

  Duration duration() {
    return duration;
  }

  /** Returns whether this fault affects watch events instead of requests. */
  boolean concernsEvents() {
    return kind.compareTo(Kind.DROP_EVENT) >= 0;
  }

  /** Returns a description of the fault, such as {@code loses the response}. */
  @Override
  public String toString() {
    return switch (kind) {
      case STATUS -> "responds with " + code;
      case HTML -> "responds with " + code + " and HTML";
      case LOSE_REQUEST -> "loses the request";
      case LOSE_RESPONSE -> "loses the response";
      case REPEAT -> "repeats the request";
      case DELAY -> "delays the request by " + duration.toMillis() + " ms";
      case DROP_EVENT -> "drops an event";
      case REPEAT_EVENT -> "repeats an event";
      case DELAY_EVENT -> "delays an event by " + duration.toMillis() + " ms";
      case CUT_IN_EVENT -> "cuts the connection within an event";
      case HALF_OPEN -> "stops delivering";
      case DROP_END_BOOKMARK -> "drops the bookmark that ends the initial events";
    };
  }
}
