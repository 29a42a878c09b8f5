// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.FatalErrors;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines whether and when a queue retries a key after a failure. The rate limiter determines
 * the delay of the retry. The optional retry limit determines when the queue stops retrying the
 * key. This class counts the failures itself, because a rate limiter need not count them.
 *
 * <p>Both the rate limiter and the retry limit can be user code. If this code throws an exception,
 * the queue does not lose the key.
 *
 * <p>This class is thread-safe. The caller must not hold the queue's lock.
 */
final class FailurePolicy<T> {

  private static final Logger log = LoggerFactory.getLogger(WorkQueue.class);

  /** The delay of a retry if the rate limiter throws an exception: 1 s. */
  private static final Duration WITHOUT_LIMITER = Duration.ofSeconds(1);

  private final String queue;
  private final RateLimiter<T> limiter;
  private final Optional<RetryLimit<T>> limit;

  private final FailureCounts<T> counts = new FailureCounts<>();

  FailurePolicy(WorkQueueOptions<T> options) {
    queue = options.name();
    limiter = options.rateLimiter();
    limit = options.retryLimit();
  }

  /**
   * Records a failure for a key. Returns the delay before the retry, or empty if the key has
   * reached its retry limit.
   */
  Optional<Duration> next(T key) {
    int retries = counts.get(key);
    if (limit.isPresent() && retries >= limit.get().maxRetries()) {
      giveUp(key, retries + 1, limit.get());
      return Optional.empty();
    }
    return Optional.of(nextUnlimited(key));
  }

  /** Records a failure for a key, and returns the delay before the retry. */
  Duration nextUnlimited(T key) {
    Duration wait = delay(key);
    counts.increment(key); // must come last: only counted keys are reset in the limiter
    return wait;
  }

  private Duration delay(T key) {
    try {
      return Objects.requireNonNull(limiter.next(key), "the rate limiter returned null");
    } catch (RuntimeException | Error e) {
      FatalErrors.rethrow(e);
      log.error(
          "The rate limiter of {} failed; delaying the key by {}",
          queue,
          DurationText.of(WITHOUT_LIMITER),
          e);
      return WITHOUT_LIMITER;
    }
  }

  private void giveUp(T key, int failures, RetryLimit<T> reached) {
    forget(key);
    try {
      reached.giveUp().gaveUp(key, failures);
    } catch (RuntimeException | Error e) {
      FatalErrors.rethrow(e);
      log.error("The give-up hook of {} failed; the key is dropped anyway", queue, e);
    }
  }

  void forget(T key) {
    if (!counts.forget(key)) {
      return; // the limiter has data only for keys that have failed
    }
    try {
      limiter.forget(key);
    } catch (RuntimeException | Error e) {
      FatalErrors.rethrow(e);
      log.error("The rate limiter of {} failed to forget a key; the queue continues", queue, e);
    }
  }

  int count(T key) {
    return counts.get(key);
  }
}
