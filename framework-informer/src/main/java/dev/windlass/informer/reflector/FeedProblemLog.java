// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the current failure of a feed. Logs one line when a failure begins, one line every 2 min
 * while it persists, and one line when the feed has recovered.
 *
 * <p>The reflector's thread records failures. {@link #current()} can be called from any thread.
 */
final class FeedProblemLog {

  /** The interval at which a persistent failure is logged again: 2 min. */
  static final Duration REMINDER = Duration.ofMinutes(2);

  private static final Logger log = LoggerFactory.getLogger(Reflector.class);

  private final ListerWatcher source;
  private final String subject;
  private final Scheduler scheduler;
  private volatile @Nullable FeedFailure current;

  /** The reason for the most recently logged failure, or null if none has been logged. */
  private @Nullable Reason loggedReason;

  /** The time at which a failure was last logged, in nanoseconds of the monotonic clock. */
  private long loggedAt;

  /** Whether a failure has been logged, but not yet the recovery from it. */
  private boolean endOwed;

  /** Whether the current failure was recorded without a warning. */
  private boolean untold;

  FeedProblemLog(ListerWatcher source, Scheduler scheduler) {
    this.source = source;
    this.subject = source.describe();
    this.scheduler = scheduler;
  }

  /** Returns why the feed is not up to date, or null if it is up to date. */
  @Nullable FeedFailure current() {
    return current;
  }

  /**
   * Records the given failure without logging a warning. If the feed fails again, {@link #report}
   * logs a warning.
   */
  void begin(FeedFailure failure) {
    current = failure.about(source);
    untold = true;
  }

  /**
   * Records a failure. Logs a warning if the failure is new, if its reason has changed, or if the
   * last warning is at least {@link #REMINDER} old. Does not log a warning for the first loss of a
   * connection if the watch can resume.
   *
   * @param resume whether the watch resumes at the point where it ended; otherwise all objects are
   *     listed again
   * @param first whether the feed was working before the failure
   * @param delay the time until the reflector sends the next request
   */
  void report(boolean resume, FeedFailure bare, boolean first, Duration delay) {
    FeedFailure failure = bare.about(source);
    boolean away =
        failure.reason() == Reason.UNREACHABLE || failure.reason() == Reason.CONNECTION_REFUSED;
    if (resume && first && away) {
      // This failure is routine: a connection was closed, and the next connection works.
      begin(failure);
      log.debug("{}: {} Next try in {}.", subject, failure, DurationText.of(delay));
      return;
    }
    current = failure;
    // Lists that succeed between failing watches must not cause the same failure to be logged each
    // time.
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

  /**
   * Records that the feed works. If a failure was logged, logs the recovery.
   *
   * @param now the state of the feed, such as {@code up to date again}
   */
  void end(String now) {
    FeedFailure past = current;
    current = null;
    untold = false;
    if (past != null && endOwed) {
      endOwed = false;
      log.info("{}: {}; the last failure was: {}", subject, now, past);
    }
  }
}
