// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.scheduling.Scheduler;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link WorkQueue}. To create an instance, call {@link #named}. Instances are
 * immutable.
 *
 * @param <T> the type of the keys
 */
public final class WorkQueueOptions<T> {

  private record Values<T>(
      String name,
      RateLimiter<T> rateLimiter,
      Scheduler scheduler,
      WorkQueueListener listener,
      Optional<RetryLimit<T>> retryLimit,
      Function<? super T, ?> grouping) {

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
   * Returns the default settings, with the given name for the queue.
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
            Optional.empty(),
            key -> ""));
  }

  /** Returns a copy of these settings with the given rate limiter. */
  public WorkQueueOptions<T> withRateLimiter(RateLimiter<T> other) {
    return new WorkQueueOptions<>(
        new Values<>(
            values.name,
            other,
            values.scheduler,
            values.listener,
            values.retryLimit,
            values.grouping));
  }

  /** Returns a copy of these settings with the given scheduler. */
  public WorkQueueOptions<T> withScheduler(Scheduler other) {
    return new WorkQueueOptions<>(
        new Values<>(
            values.name,
            values.rateLimiter,
            other,
            values.listener,
            values.retryLimit,
            values.grouping));
  }

  /** Returns a copy of these settings with the given listener. */
  public WorkQueueOptions<T> withListener(WorkQueueListener other) {
    return new WorkQueueOptions<>(
        new Values<>(
            values.name,
            values.rateLimiter,
            values.scheduler,
            other,
            values.retryLimit,
            values.grouping));
  }

  /**
   * Returns a copy of these settings with the given retry limit.
   *
   * @param maxRetries the maximum number of consecutive retries of a key; zero or more
   * @param giveUp the hook to call when the last retry of a key has failed. The queue resets the
   *     key's failure count before it calls the hook
   */
  public WorkQueueOptions<T> withMaxRetries(int maxRetries, GiveUpHook<T> giveUp) {
    RetryLimit<T> limit = new RetryLimit<>(maxRetries, giveUp);
    return new WorkQueueOptions<>(
        new Values<>(
            values.name,
            values.rateLimiter,
            values.scheduler,
            values.listener,
            Optional.of(limit),
            values.grouping));
  }

  /**
   * Returns a copy of these settings with the given function, which divides the keys into groups.
   * The groups take turns: a key does not have to wait until all keys of another group that have
   * the same priority have been processed, but only for one of them.
   *
   * @param groupOf returns the group of a key, which must implement {@code equals} and {@code
   *     hashCode}. It is called each time that a key is added. If it throws an exception or returns
   *     null, the queue logs this, and puts the key into the group {@code ""}
   */
  public WorkQueueOptions<T> withGrouping(Function<? super T, ?> groupOf) {
    return new WorkQueueOptions<>(
        new Values<>(
            values.name,
            values.rateLimiter,
            values.scheduler,
            values.listener,
            values.retryLimit,
            Objects.requireNonNull(groupOf, "the function that groups the keys")));
  }

  /** Returns the name of the queue, which identifies it in logs and metrics. */
  public String name() {
    return values.name;
  }

  /**
   * Returns the rate limiter that {@link WorkQueue#addRateLimited} uses. The default is {@link
   * RateLimiter#exponential()}.
   */
  public RateLimiter<T> rateLimiter() {
    return values.rateLimiter;
  }

  /**
   * Returns the scheduler that provides the time and the timers. The default is {@link
   * Scheduler#system()}.
   */
  public Scheduler scheduler() {
    return values.scheduler;
  }

  /** Returns the listener. The default is {@link WorkQueueListener#NONE}. */
  public WorkQueueListener listener() {
    return values.listener;
  }

  /** Returns the retry limit. By default, the number of retries is unlimited. */
  public Optional<RetryLimit<T>> retryLimit() {
    return values.retryLimit;
  }

  /**
   * Returns the function that divides the keys into groups that take turns. By default, all keys
   * are in one group.
   */
  public Function<? super T, ?> grouping() {
    return values.grouping;
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
