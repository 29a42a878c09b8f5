// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.scheduling.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Determines how the reflector reacts to a failure, and the delay before its next request. */
final class RetryPolicy {

  /**
   * The back-off after failures. The first delay is 800 ms (client-go {@code reflector.go}), and
   * each further delay is twice as long, up to 15 s. Jitter of up to 100% is added, so the longest
   * delay is 30 s.
   */
  static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(800), 2, Duration.ofSeconds(15), 1.0);

  /**
   * The back-off while no process listens at the server's address, for example while the server
   * restarts. The first delay is 800 ms, and all further delays are 1.5 s. Jitter of up to 100% is
   * added, so the longest delay is 3 s. Connection attempts do not put load on the server, so the
   * delays can remain short. The reflector therefore soon detects that the server is available
   * again.
   */
  static final Backoff REFUSED =
      new Backoff(Duration.ofMillis(800), 2, Duration.ofMillis(1500), 1.0);

  /**
   * The number of consecutive times that the server can request a pause before the back-off
   * increases: 10 (client-go {@code rest/with_retry.go}).
   */
  static final int PAUSES_AS_ASKED = 10;

  /**
   * The maximum pause that the server can request: 2 min. The limit prevents an unreasonable value
   * from blocking the feed.
   */
  static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(2);

  /**
   * The number of consecutive failures after which the reflector requests a new list instead of
   * resuming the watch: 3. This limit applies only to errors that the resource version may have
   * caused.
   */
  private static final int RESUMES_BEFORE_LIST = 3;

  /**
   * The time within which the server must accept the first watch after a failure: 5 s. The limit
   * increases with each further failure. The first limits are short, because the next connection
   * may be dead as well. Later limits allow more time for a server that accepts slowly.
   */
  private static final Duration FIRST_ACCEPT_LIMIT = Duration.ofSeconds(5);

  private static final Duration LONGEST_ACCEPT_LIMIT = Duration.ofSeconds(30);

  private RetryPolicy() {}

  /**
   * Returns the time within which the server must accept a watch.
   *
   * @param failures the number of consecutive failures before the watch
   */
  static Duration acceptLimit(int failures) {
    if (failures == 0) {
      return Reflector.GRACE;
    }
    Duration limit = FIRST_ACCEPT_LIMIT.multipliedBy(failures);
    return limit.compareTo(LONGEST_ACCEPT_LIMIT) < 0 ? limit : LONGEST_ACCEPT_LIMIT;
  }

  /**
   * Returns how long to wait before the next request. The result is the longer of the back-off and
   * the pause that the server has requested.
   *
   * @param failures the number of consecutive failures, at least 1
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

  /** Returns whether the server has requested a specific pause before the next request. */
  static boolean asksForPause(FeedFailure failure) {
    return failure.reason() == Reason.THROTTLED && !failure.retryAfter().isZero();
  }

  /** Returns whether a failed watch can resume at the point where it ended, without a new list. */
  static boolean canResume(FeedFailure failure, int failures) {
    return switch (failure.reason()) {
      case UNREACHABLE, CONNECTION_REFUSED, TLS, TIMEOUT, THROTTLED, FORBIDDEN, UNAUTHORIZED ->
          true;
      // A restored server always responds with 5xx to requests for versions from before the
      // restore. A frame that cannot be read may have been damaged in transit, or may never become
      // readable.
      case SERVER_ERROR, VERSION_TOO_LARGE, MALFORMED -> failures < RESUMES_BEFORE_LIST;
      case EXPIRED, UNKNOWN_TYPE, NO_WATCH, INVALID, INTERNAL, OTHER -> false;
    };
  }

  /**
   * Returns the time limit for the next watch: the configured time-out plus a random part of up to
   * half the time-out. By default, the limit is between 20 s and 30 s.
   *
   * <p>A dead connection can remain undetected until this limit is exceeded. The limit can be
   * short, because resuming a watch costs the server almost nothing. In the worst case, the
   * reflector needs 45 s by default to recover from a dead connection: 30 s for the time limit, 8 s
   * for {@link Reflector#GRACE}, up to 1.6 s of back-off, and 5 s for a second dead connection,
   * which the transport may have kept open.
   */
  static Duration watchTimeout(Duration configured, RandomGenerator random) {
    return configured.plusNanos((long) (configured.toNanos() * 0.5 * random.nextDouble()));
  }

  /**
   * Returns whether a streaming list can be retried after this failure. Otherwise, the next list is
   * read in pages.
   */
  static boolean canStreamAgain(FeedFailure failure) {
    return switch (failure.reason()) {
      case UNREACHABLE, CONNECTION_REFUSED, TLS, THROTTLED, UNAUTHORIZED -> true;
      case NO_WATCH -> true; // pages could be read, but not kept up to date
      default -> false;
    };
  }
}
