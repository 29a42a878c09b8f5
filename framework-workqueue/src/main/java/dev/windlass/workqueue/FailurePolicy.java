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
 * key. The queue counts the failures.
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

  FailurePolicy(WorkQueueOptions<T> options) {
    queue = options.name();
    limiter = options.rateLimiter();
    limit = options.retryLimit();
  }

  /** Returns whether a key with the given number of failed retries is not retried again. */
  boolean isLast(int retries) {
    return limit.isPresent() && retries >= limit.get().maxRetries();
  }

  Duration delay(T key, int failures) {
    try {
      return Objects.requireNonNull(limiter.next(key, failures), "the rate limiter returned null");
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

  void giveUp(T key, int failures) {
    try {
      limit.orElseThrow().giveUp().gaveUp(key, failures);
    } catch (RuntimeException | Error e) {
      FatalErrors.rethrow(e);
      log.error("The give-up hook of {} failed; the key is dropped anyway", queue, e);
    }
  }
}
