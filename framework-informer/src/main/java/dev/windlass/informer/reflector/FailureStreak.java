// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.informer.reflector.FeedFailure.Reason;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Counts the failures of a reflector since it last made progress. The count determines how long the
 * reflector waits before its next request.
 *
 * <p>Only the reflector's thread uses this class.
 */
final class FailureStreak {

  /** The number of failures that determines the back-off. */
  private int count;

  /**
   * The number of consecutive failures with the reason {@link Reason#EXPIRED}. A healthy watch
   * resets this number.
   */
  private int expiries;

  /** The number of consecutive failures for which the server requested a specific pause. */
  private int asked;

  private @Nullable Reason last;

  /** Records that a watch has delivered an event, which proves that the watch works. */
  void progressed() {
    count = 0;
  }

  /**
   * Records that a watch ended normally.
   *
   * @param healthy whether the watch lasted for at least {@link Reflector#HEALTHY}. A healthy watch
   *     also resets the number of failures caused by expired versions
   */
  void ended(boolean healthy) {
    count = 0;
    expiries = healthy ? 0 : expiries;
  }

  /** Records that the server has served a request. Resets the number of requested pauses. */
  void served() {
    asked = 0;
  }

  void add(FeedFailure failure) {
    Reason reason = failure.reason();
    asked = RetryPolicy.asksForPause(failure) ? asked + 1 : 0;
    if (last == Reason.CONNECTION_REFUSED && reason != last) {
      count = 0; // the server is available again, regardless of the length of the outage
    }
    if (reason == Reason.EXPIRED) {
      // The server is available again in this case as well. However, a watch that delivered an
      // event before it expired does not prove that the watch after the next list will last longer.
      expiries = last == Reason.EXPIRED ? expiries + 1 : 1;
      count = expiries;
    } else if (!isOnlyAsked()) {
      count++;
    }
    last = reason;
  }

  /**
   * Returns whether the last failure was a request for a pause that does not count towards the
   * back-off. After {@link RetryPolicy#PAUSES_AS_ASKED} consecutive requests, further requests
   * count.
   */
  private boolean isOnlyAsked() {
    return asked > 0 && asked <= RetryPolicy.PAUSES_AS_ASKED;
  }

  int count() {
    return count;
  }

  /** Returns whether the feed was working before the last failure. */
  boolean isFirst() {
    return isOnlyAsked() ? count == 0 && asked == 1 : count == 1;
  }

  /** Returns how long to wait after the most recently added failure. */
  Duration delay(FeedFailure failure, RandomGenerator random) {
    return RetryPolicy.delay(failure, isOnlyAsked() ? 1 : Math.max(1, count), random);
  }
}
