// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.informer.feed.FeedFailure.Reason;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is wrong with a feed, and who has been told. A failure is logged once, in one sentence; as
 * long as it persists, again every two minutes; and its end once.
 *
 * <p>Written by the reflector's thread; {@link #current()} may be called by any.
 */
final class FeedTrouble {

  /** How often a failure that persists is logged. */
  static final Duration REMINDER = Duration.ofMinutes(2);

  private static final Logger log = LoggerFactory.getLogger(Reflector.class);

  private final ListerWatcher source;
  private final String subject;
  private final Scheduler scheduler;
  private volatile @Nullable FeedFailure current;

  /** What was logged last and when, and whether its end is still to be told. */
  private @Nullable Reason loggedReason;

  private long loggedAt;
  private boolean endOwed;

  /** Whether something went wrong that nobody has been told of. */
  private boolean untold;

  FeedTrouble(ListerWatcher source, Scheduler scheduler) {
    this.source = source;
    this.subject = source.describe();
    this.scheduler = scheduler;
  }

  /** Why the feed is not up to date; null while it is. */
  @Nullable FeedFailure current() {
    return current;
  }

  /** It failed, and nobody is told yet. */
  void begin(FeedFailure failure) {
    current = failure.about(source);
    untold = true;
  }

  /**
   * It failed.
   *
   * @param resume whether a watch goes on where it was; else everything is listed
   * @param first whether it worked just before
   * @param delay after which it is tried again
   */
  void report(boolean resume, FeedFailure bare, boolean first, Duration delay) {
    FeedFailure failure = bare.about(source);
    boolean away =
        failure.reason() == Reason.UNREACHABLE || failure.reason() == Reason.CONNECTION_REFUSED;
    if (resume && first && away) {
      // Everyday business: somebody on the way closed a connection, and the next one works.
      begin(failure);
      log.debug("{}: {} It goes on in {}.", subject, failure, delay);
      return;
    }
    current = failure;
    // Lists that succeed between watches that fail are no reason to tell the same each time.
    boolean news = first || untold || loggedReason != failure.reason();
    untold = false;
    long now = scheduler.nanoTime();
    if (news || now - loggedAt >= REMINDER.toNanos()) {
      loggedReason = failure.reason();
      loggedAt = now;
      endOwed = true;
      log.warn(
          "Can't {} {}: {} Next try in {} s.",
          resume ? "watch" : "list",
          subject,
          failure,
          "%.1f".formatted(delay.toMillis() / 1000.0));
    } else {
      log.debug("{}: {}", subject, failure);
    }
  }

  /** It works. */
  void end() {
    FeedFailure past = current;
    current = null;
    untold = false;
    if (past != null && endOwed) {
      endOwed = false;
      log.info("{}: up to date again after {}", subject, past.reason());
    }
  }
}
