// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.informer.feed.FeedFailure.Reason;
import dev.windlass.time.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** What to do after a failure, and when. */
final class RetryPolicy {

  /**
   * Delays after failures: 800 ms doubled (client-go {@code reflector.go}) up to 15 s, and up to as
   * much again at random, so 30 s at most.
   */
  static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(800), 2, Duration.ofSeconds(15), 1.0);

  /**
   * Delays while nothing listens at the server's address, as while it restarts: 800 ms and then 1.5
   * s, and up to as much again at random, so 3 s at most. An attempt costs one packet and the
   * server nothing, so the delays need not grow, and its return is noticed soon.
   */
  static final Backoff REFUSED =
      new Backoff(Duration.ofMillis(800), 2, Duration.ofMillis(1500), 1.0);

  /**
   * So many times in a row a request is repeated after the pause that the server asks for, and no
   * back-off is added: 10 (client-go {@code rest/with_retry.go}). A server that goes on to ask gets
   * the back-off in addition.
   */
  static final int PAUSES_AS_ASKED = 10;

  /** The longest that a server may ask to be left alone; an absurd request must not be for ever. */
  static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(2);

  /**
   * After this many failed resumes because of the server's trouble, the place itself is suspect.
   */
  private static final int RESUMES_BEFORE_LIST = 3;

  /**
   * After a failure the next connection may be as dead as the last one, so the first attempts are
   * short; but a server that is slow to accept must have its time in the end.
   */
  private static final Duration FIRST_ACCEPT_LIMIT = Duration.ofSeconds(5);

  private static final Duration LONGEST_ACCEPT_LIMIT = Duration.ofSeconds(30);

  private RetryPolicy() {}

  /** How long the server may take to accept a watch, after so many failures in a row. */
  static Duration acceptLimit(int failures) {
    if (failures == 0) {
      return Reflector.GRACE;
    }
    Duration limit = FIRST_ACCEPT_LIMIT.multipliedBy(failures);
    return limit.compareTo(LONGEST_ACCEPT_LIMIT) < 0 ? limit : LONGEST_ACCEPT_LIMIT;
  }

  /** How long to wait, after so many failures in a row: as the server asked, but not less. */
  static Duration delay(FeedFailure failure, int failures, RandomGenerator random) {
    Backoff backoff = failure.reason() == Reason.CONNECTION_REFUSED ? REFUSED : BACKOFF;
    Duration own = backoff.delay(failures - 1, random);
    Duration asked = failure.retryAfter();
    if (asked.compareTo(LONGEST_RETRY_AFTER) > 0) {
      asked = LONGEST_RETRY_AFTER;
    }
    return own.compareTo(asked) >= 0 ? own : asked;
  }

  /** Whether the server says by itself after which pause it serves the request. */
  static boolean asksForPause(FeedFailure failure) {
    return failure.reason() == Reason.THROTTLED && !failure.retryAfter().isZero();
  }

  /** Whether a watch that failed may go on where it was, rather than after a new list. */
  static boolean canResume(FeedFailure failure, int failures) {
    return switch (failure.reason()) {
      case UNREACHABLE, CONNECTION_REFUSED, TLS, TIMEOUT, THROTTLED, FORBIDDEN, UNAUTHORIZED ->
          true;
      // A version from before a restored backup is answered with 5xx for ever; and a frame that
      // can't be read may have been damaged on the way, or be there for ever.
      case SERVER_ERROR, VERSION_TOO_LARGE, MALFORMED -> failures < RESUMES_BEFORE_LIST;
      case EXPIRED, UNKNOWN_TYPE, INVALID, INTERNAL, OTHER -> false;
    };
  }

  /** Whether a streaming list may do better next time, so that pages would do no better now. */
  static boolean canStreamAgain(FeedFailure failure) {
    return switch (failure.reason()) {
      case UNREACHABLE, CONNECTION_REFUSED, TLS, THROTTLED, UNAUTHORIZED -> true;
      default -> false;
    };
  }
}
