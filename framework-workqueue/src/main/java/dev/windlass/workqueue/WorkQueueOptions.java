// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.time.Scheduler;
import java.util.Optional;

/**
 * The settings of a {@link WorkQueue}.
 *
 * @param <T> the type of the keys
 * @param name of the queue in logs and metrics; must not be blank
 * @param rateLimiter used by {@link WorkQueue#addRateLimited}; default {@link
 *     RateLimiter#exponential()}
 * @param scheduler the clock and the alarm; default {@link Scheduler#system()}
 * @param listener hears what happens; default {@link WorkQueueListener#NONE}
 * @param retryLimit when a key that fails is given up; by default it never is
 */
public record WorkQueueOptions<T>(
    String name,
    RateLimiter<T> rateLimiter,
    Scheduler scheduler,
    WorkQueueListener listener,
    Optional<RetryLimit<T>> retryLimit) {

  /** Refuses a blank name. */
  public WorkQueueOptions {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a work queue needs a name, for its metrics and logs");
    }
  }

  /** The defaults under the given name. */
  public static <T> WorkQueueOptions<T> named(String name) {
    return new WorkQueueOptions<>(
        name,
        RateLimiter.exponential(),
        Scheduler.system(),
        WorkQueueListener.NONE,
        Optional.empty());
  }

  /** The same settings with another rate limiter. */
  public WorkQueueOptions<T> withRateLimiter(RateLimiter<T> other) {
    return new WorkQueueOptions<>(name, other, scheduler, listener, retryLimit);
  }

  /** The same settings on another scheduler. */
  public WorkQueueOptions<T> withScheduler(Scheduler other) {
    return new WorkQueueOptions<>(name, rateLimiter, other, listener, retryLimit);
  }

  /** The same settings with another listener. */
  public WorkQueueOptions<T> withListener(WorkQueueListener other) {
    return new WorkQueueOptions<>(name, rateLimiter, scheduler, other, retryLimit);
  }

  /**
   * The same settings with an end to retries.
   *
   * @param maxRetries how many failures of a key in a row are followed by another try; zero or more
   * @param giveUp called at the failure after those, when the failures have been forgotten
   */
  public WorkQueueOptions<T> withMaxRetries(int maxRetries, GiveUp<T> giveUp) {
    RetryLimit<T> limit = new RetryLimit<>(maxRetries, giveUp);
    return new WorkQueueOptions<>(name, rateLimiter, scheduler, listener, Optional.of(limit));
  }
}
