// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.informer.feed.FeedFailure.Reason;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The failures of a reflector since it last got somewhere, from which follows how long it waits.
 *
 * <p>Used by the reflector's thread.
 */
final class FailureStreak {

  /** Those for which the back-off grows. */
  private int count;

  /** How often in a row the server had forgotten the version, without a healthy watch between. */
  private int expiries;

  /** How often in a row the server asked for a pause of its own choice. */
  private int asked;

  private @Nullable Reason last;

  /** A watch brought something, which says that it works. */
  void progressed() {
    count = 0;
  }

  /**
   * A watch ended in order.
   *
   * @param healthy whether it lived long enough to prove that expired versions are over, too
   */
  void ended(boolean healthy) {
    count = 0;
    expiries = healthy ? 0 : expiries;
  }

  /** The server served a request. */
  void served() {
    asked = 0;
  }

  /** Adds a failure. */
  void add(FeedFailure failure) {
    Reason reason = failure.reason();
    asked = RetryPolicy.asksForPause(failure) ? asked + 1 : 0;
    if (last == Reason.CONNECTION_REFUSED && reason != last) {
      count = 0; // the server is there, however long it was away
    }
    if (reason == Reason.EXPIRED) {
      // It is there as well; but a watch that brought something before it expired is no proof that
      // the next list leads any further.
      expiries = last == Reason.EXPIRED ? expiries + 1 : 1;
      count = expiries;
    } else if (!isOnlyAsked()) {
      count++;
    }
    last = reason;
  }

  /** Whether the last failure is only the server's request for a pause, which is granted. */
  private boolean isOnlyAsked() {
    return asked > 0 && asked <= RetryPolicy.PAUSES_AS_ASKED;
  }

  /** How many failures there have been in a row. */
  int count() {
    return count;
  }

  /** Whether it worked before the last failure. */
  boolean isFirst() {
    return isOnlyAsked() ? count == 0 && asked == 1 : count == 1;
  }

  /** How long to wait after the failure that was added last. */
  Duration delay(FeedFailure failure, RandomGenerator random) {
    return RetryPolicy.delay(failure, isOnlyAsked() ? 1 : Math.max(1, count), random);
  }
}
