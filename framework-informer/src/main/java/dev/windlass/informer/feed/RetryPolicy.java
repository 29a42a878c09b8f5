// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.informer.feed.FeedFailure.Reason;
import dev.windlass.time.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Determines the reaction to a failure, and its delay. */
final class RetryPolicy {

  /**
   * Delays after failures: 800 ms, doubled (client-go {@code reflector.go}) up to 15 s, plus up to
   * as much again at random, so 30 s at most.
   */
  static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(800), 2, Duration.ofSeconds(15), 1.0);

  /**
   * Delays while nothing listens at the server's address, for example while it restarts: 800 ms and
   * then 1.5 s, plus up to as much again at random, so 3 s at most. An attempt costs one packet and
   * puts no load on the server, so the delays need not grow, and the return of the server is
   * noticed soon.
   */
  static final Backoff REFUSED =
      new Backoff(Duration.ofMillis(800), 2, Duration.ofMillis(1500), 1.0);

  /**
   * How many consecutive times a request is repeated after the pause that the server requests,
   * without back-off: 10 (client-go {@code rest/with_retry.go}). If the server continues to request
   * pauses, the back-off applies as well.
   */
  static final int PAUSES_AS_ASKED = 10;

  /**
   * The longest pause that a server may request, so that an absurd value does not block the feed
   * for ever.
   */
  static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(2);

  /**
   * After this many resumes that failed because of server errors, the version itself may be the
   * cause.
   */
  private static final int RESUMES_BEFORE_LIST = 3;

  /**
   * The time limit of the first attempt after a failure, which grows with each further failure. The
   * next connection may be dead as well, so the first attempts are short; later attempts allow more
   * time for a server that accepts slowly.
   */
  private static final Duration FIRST_ACCEPT_LIMIT = Duration.ofSeconds(5);

  private static final Duration LONGEST_ACCEPT_LIMIT = Duration.ofSeconds(30);

  private RetryPolicy() {}

  /**
   * Returns how long the server may take to accept a watch after this many consecutive failures.
   */
  static Duration acceptLimit(int failures) {
    if (failures == 0) {
      return Reflector.GRACE;
    }
    Duration limit = FIRST_ACCEPT_LIMIT.multipliedBy(failures);
    return limit.compareTo(LONGEST_ACCEPT_LIMIT) < 0 ? limit : LONGEST_ACCEPT_LIMIT;
  }

  /**
   * Returns how long to wait after this many consecutive failures: the back-off, or the pause that
   * the server has requested if that is longer.
   */
  static Duration delay(FeedFailure failure, int failures, RandomGenerator random) {
    Backoff backoff = failure.reason() == Reason.CONNECTION_REFUSED ? REFUSED : BACKOFF;
    Duration own = backoff.delay(failures - 1, random);
    Duration asked = failure.retryAfter();
    if (asked.compareTo(LONGEST_RETRY_AFTER) > 0) {
      asked = LONGEST_RETRY_AFTER;
    }
    return own.compareTo(asked) >= 0 ? own : asked;
  }

  /** Reports whether the server specifies the pause after which it will serve the request. */
  static boolean asksForPause(FeedFailure failure) {
    return failure.reason() == Reason.THROTTLED && !failure.retryAfter().isZero();
  }

  /** Reports whether a failed watch may resume where it ended, without a new list. */
  static boolean canResume(FeedFailure failure, int failures) {
    return switch (failure.reason()) {
      case UNREACHABLE, CONNECTION_REFUSED, TLS, TIMEOUT, THROTTLED, FORBIDDEN, UNAUTHORIZED ->
          true;
      // A restored server answers requests for versions from before with 5xx forever; and a frame
      // that can't be read may have been damaged on the way, or may never become readable.
      case SERVER_ERROR, VERSION_TOO_LARGE, MALFORMED -> failures < RESUMES_BEFORE_LIST;
      case EXPIRED, UNKNOWN_TYPE, INVALID, INTERNAL, OTHER -> false;
    };
  }

  /**
   * Returns how long the next watch may last: the configured time-out plus up to half of it at
   * random, 20 s to 30 s by default. Resuming costs the server almost nothing, and the time-out
   * bounds how long a dead connection goes unnoticed. The worst case is 1.5 times the time-out and
   * {@link Reflector#GRACE} for the watch, up to 1.6 s of back-off, and 5 s for a second dead
   * connection, because the transport may have kept an older idle one. In total, this is 45 s by
   * default.
   */
  static Duration watchTimeout(Duration configured, RandomGenerator random) {
    return configured.plusNanos((long) (configured.toNanos() * 0.5 * random.nextDouble()));
  }

  /**
   * Reports whether the next streaming list may succeed, so that pages would have no advantage now.
   */
  static boolean canStreamAgain(FeedFailure failure) {
    return switch (failure.reason()) {
      case UNREACHABLE, CONNECTION_REFUSED, TLS, THROTTLED, UNAUTHORIZED -> true;
      default -> false;
    };
  }
}
