// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.informer.feed.FeedFailure.Reason;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Counts the failures of a reflector since it last made progress, which determine how long it
 * waits.
 *
 * <p>Used by the reflector's thread.
 */
final class FailureStreak {

  /** The number of failures that count for the back-off. */
  private int count;

  /**
   * How often in succession the version had expired on the server, without a healthy watch in
   * between.
   */
  private int expiries;

  /** How often in succession the server requested a specific pause. */
  private int asked;

  private @Nullable Reason last;

  /** Records that a watch has delivered an event, which shows that it works. */
  void progressed() {
    count = 0;
  }

  /**
   * Records that a watch ended normally.
   *
   * @param healthy whether it lasted long enough to prove that versions no longer expire
   */
  void ended(boolean healthy) {
    count = 0;
    expiries = healthy ? 0 : expiries;
  }

  /** Records that the server has served a request. */
  void served() {
    asked = 0;
  }

  /** Adds a failure. */
  void add(FeedFailure failure) {
    Reason reason = failure.reason();
    asked = RetryPolicy.asksForPause(failure) ? asked + 1 : 0;
    if (last == Reason.CONNECTION_REFUSED && reason != last) {
      count = 0; // the server is back, however long it was away
    }
    if (reason == Reason.EXPIRED) {
      // The server is back in this case as well. But a watch that delivered something before it
      // expired does not prove that the next list leads any further.
      expiries = last == Reason.EXPIRED ? expiries + 1 : 1;
      count = expiries;
    } else if (!isOnlyAsked()) {
      count++;
    }
    last = reason;
  }

  /** Reports whether the last failure is only a request for a pause that is granted. */
  private boolean isOnlyAsked() {
    return asked > 0 && asked <= RetryPolicy.PAUSES_AS_ASKED;
  }

  /** Returns the number of consecutive failures. */
  int count() {
    return count;
  }

  /** Reports whether the feed was working before the last failure. */
  boolean isFirst() {
    return isOnlyAsked() ? count == 0 && asked == 1 : count == 1;
  }

  /** Returns how long to wait after the failure that was added last. */
  Duration delay(FeedFailure failure, RandomGenerator random) {
    return RetryPolicy.delay(failure, isOnlyAsked() ? 1 : Math.max(1, count), random);
  }
}
