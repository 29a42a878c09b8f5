// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.time.Scheduler;

/**
 * The settings of a {@link WorkQueue}.
 *
 * @param <T> the type of the keys
 * @param name of the queue in logs and metrics; must not be blank
 * @param rateLimiter used by {@link WorkQueue#addRateLimited}; default {@link
 *     RateLimiter#exponential()}
 * @param scheduler the clock and the alarm; default {@link Scheduler#system()}
 * @param listener hears what happens; default {@link WorkQueueListener#NONE}
 */
public record WorkQueueOptions<T>(
    String name, RateLimiter<T> rateLimiter, Scheduler scheduler, WorkQueueListener listener) {

  /** Refuses a blank name. */
  public WorkQueueOptions {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a work queue needs a name, for its metrics and logs");
    }
  }

  /** The defaults under the given name. */
  public static <T> WorkQueueOptions<T> named(String name) {
    return new WorkQueueOptions<>(
        name, RateLimiter.exponential(), Scheduler.system(), WorkQueueListener.NONE);
  }

  /** The same settings with another rate limiter. */
  public WorkQueueOptions<T> withRateLimiter(RateLimiter<T> other) {
    return new WorkQueueOptions<>(name, other, scheduler, listener);
  }

  /** The same settings on another scheduler. */
  public WorkQueueOptions<T> withScheduler(Scheduler other) {
    return new WorkQueueOptions<>(name, rateLimiter, other, listener);
  }

  /** The same settings with another listener. */
  public WorkQueueOptions<T> withListener(WorkQueueListener other) {
    return new WorkQueueOptions<>(name, rateLimiter, scheduler, other);
  }
}
