// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.time.Scheduler;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link WorkQueue}. Immutable; start from {@link #named}.
 *
 * @param <T> the type of the keys
 */
public final class WorkQueueOptions<T> {

  private record Values<T>(
      String name,
      RateLimiter<T> rateLimiter,
      Scheduler scheduler,
      WorkQueueListener listener,
      Optional<RetryLimit<T>> retryLimit) {

    /** Refuses a blank name. */
    Values {
      if (name.isBlank()) {
        throw new IllegalArgumentException("a work queue needs a name, for its metrics and logs");
      }
    }
  }

  private final Values<T> values;

  private WorkQueueOptions(Values<T> values) {
    this.values = values;
  }

  /**
   * The defaults under the given name.
   *
   * @throws IllegalArgumentException if the name is blank
   */
  public static <T> WorkQueueOptions<T> named(String name) {
    return new WorkQueueOptions<>(
        new Values<>(
            name,
            RateLimiter.exponential(),
            Scheduler.system(),
            WorkQueueListener.NONE,
            Optional.empty()));
  }

  /** The same settings with another rate limiter. */
  public WorkQueueOptions<T> withRateLimiter(RateLimiter<T> other) {
    return new WorkQueueOptions<>(
        new Values<>(values.name, other, values.scheduler, values.listener, values.retryLimit));
  }

  /** The same settings on another scheduler. */
  public WorkQueueOptions<T> withScheduler(Scheduler other) {
    return new WorkQueueOptions<>(
        new Values<>(values.name, values.rateLimiter, other, values.listener, values.retryLimit));
  }

  /** The same settings with another listener. */
  public WorkQueueOptions<T> withListener(WorkQueueListener other) {
    return new WorkQueueOptions<>(
        new Values<>(values.name, values.rateLimiter, values.scheduler, other, values.retryLimit));
  }

  /**
   * The same settings with an end to retries.
   *
   * @param maxRetries how many failures of a key in a row are followed by another try; zero or more
   * @param giveUp called at the failure after those, when the failures have been forgotten
   */
  public WorkQueueOptions<T> withMaxRetries(int maxRetries, GiveUp<T> giveUp) {
    RetryLimit<T> limit = new RetryLimit<>(maxRetries, giveUp);
    return new WorkQueueOptions<>(
        new Values<>(
            values.name,
            values.rateLimiter,
            values.scheduler,
            values.listener,
            Optional.of(limit)));
  }

  /** The name of the queue in logs and metrics. */
  public String name() {
    return values.name;
  }

  /** What {@link WorkQueue#addRateLimited} uses; default {@link RateLimiter#exponential()}. */
  public RateLimiter<T> rateLimiter() {
    return values.rateLimiter;
  }

  /** The clock and the alarm; default {@link Scheduler#system()}. */
  public Scheduler scheduler() {
    return values.scheduler;
  }

  /** What hears of what happens; default {@link WorkQueueListener#NONE}. */
  public WorkQueueListener listener() {
    return values.listener;
  }

  /** When a key that fails is given up; by default it never is. */
  public Optional<RetryLimit<T>> retryLimit() {
    return values.retryLimit;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof WorkQueueOptions<?> that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
