// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.reflector.FeedListener;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.ResourceType;
import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Options for informers: the scheduler, the threads, the random generator, the listeners, the audit
 * period and the watch time-out. Instances are immutable. Start with {@link #defaults()}.
 */
public final class InformerOptions {

  /**
   * The minimum audit period: 1 min. It limits the load on the server, because each audit is a list
   * request.
   */
  public static final Duration MINIMUM_AUDIT = Duration.ofMinutes(1);

  /** The default watch time-out, after which the server ends a watch: 20 s. */
  public static final Duration DEFAULT_WATCH_TIMEOUT = Duration.ofSeconds(20);

  private static final Duration MINIMUM_WATCH = Duration.ofSeconds(10);
  private static final Duration MAXIMUM_WATCH = Duration.ofHours(1);

  private record Values(
      Scheduler scheduler,
      ThreadFactory threads,
      RandomGenerator random,
      Function<ResourceType, FeedListener> listeners,
      Duration auditPeriod,
      Duration watchTimeout,
      ObjectSerialization serialization) {

    /**
     * Checks the audit period and the watch time-out. The audit period must be zero or at least
     * {@link #MINIMUM_AUDIT}. The watch time-out must be between 10 s and 1 h.
     */
    Values {
      if (watchTimeout.compareTo(MINIMUM_WATCH) < 0 || watchTimeout.compareTo(MAXIMUM_WATCH) > 0) {
        throw new IllegalArgumentException(
            "invalid watch time-out "
                + DurationText.of(watchTimeout)
                + ": use at least 10 s and at most 1 h");
      }
      if (!auditPeriod.isZero() && auditPeriod.compareTo(MINIMUM_AUDIT) < 0) {
        throw new IllegalArgumentException(
            "invalid audit period "
                + DurationText.of(auditPeriod)
                + ": use zero to disable audits, or at least "
                + DurationText.of(MINIMUM_AUDIT));
      }
    }
  }

  private final Values values;

  private InformerOptions(Values values) {
    this.values = values;
  }

  /** Returns the default options. */
  public static InformerOptions defaults() {
    return new InformerOptions(
        new Values(
            Scheduler.system(),
            Thread::new,
            new java.util.Random(),
            type -> FeedListener.NONE,
            Duration.ZERO,
            DEFAULT_WATCH_TIMEOUT,
            ObjectSerialization.DEFAULT));
  }

  /** Returns a copy of these options with the given scheduler. */
  public InformerOptions withScheduler(Scheduler other) {
    return new InformerOptions(
        new Values(
            other,
            values.threads,
            values.random,
            values.listeners,
            values.auditPeriod,
            values.watchTimeout,
            values.serialization));
  }

  /** Returns a copy of these options with the given thread factory. */
  public InformerOptions withThreads(ThreadFactory other) {
    return new InformerOptions(
        new Values(
            values.scheduler,
            other,
            values.random,
            values.listeners,
            values.auditPeriod,
            values.watchTimeout,
            values.serialization));
  }

  /** Returns a copy of these options with the given random generator, which must be thread-safe. */
  public InformerOptions withRandom(RandomGenerator other) {
    return new InformerOptions(
        new Values(
            values.scheduler,
            values.threads,
            other,
            values.listeners,
            values.auditPeriod,
            values.watchTimeout,
            values.serialization));
  }

  /**
   * Returns a copy of these options with the given audit period. In an audit, an informer lists the
   * metadata of all objects and compares their versions with its cache. If events were lost, the
   * informer repairs the cache.
   *
   * @param period the time between audits. Zero, which is the default, disables audits
   * @throws IllegalArgumentException if the period is neither zero nor at least {@link
   *     #MINIMUM_AUDIT}
   */
  public InformerOptions withAuditPeriod(Duration period) {
    return new InformerOptions(
        new Values(
            values.scheduler,
            values.threads,
            values.random,
            values.listeners,
            period,
            values.watchTimeout,
            values.serialization));
  }

  /**
   * Returns a copy of these options with the given watch time-out. The server ends each watch after
   * 1 to 1.5 times the time-out, at random. The informer then opens a new watch. This costs one
   * request for each type and replica, but usually no list. With the default, there are at most 3
   * such requests per minute.
   *
   * <p>A connection that fails silently is detected after at most 1.5 times the time-out plus 15 s,
   * which is 45 s by default.
   *
   * @param timeout the time-out, from 10 s to 1 h; the default is 20 s
   * @throws IllegalArgumentException if the time-out is below 10 s or above 1 h
   */
  public InformerOptions withWatchTimeout(Duration timeout) {
    return new InformerOptions(
        new Values(
            values.scheduler,
            values.threads,
            values.random,
            values.listeners,
            values.auditPeriod,
            timeout,
            values.serialization));
  }

  /** Returns a copy of these options with the given listener for all types. */
  public InformerOptions withListener(FeedListener other) {
    return withListeners(type -> other);
  }

  /**
   * Returns a copy of these options with the given function, which returns the reflector's listener
   * for each type.
   */
  public InformerOptions withListeners(Function<ResourceType, FeedListener> others) {
    return new InformerOptions(
        new Values(
            values.scheduler,
            values.threads,
            values.random,
            others,
            values.auditPeriod,
            values.watchTimeout,
            values.serialization));
  }

  /**
   * Returns the scheduler, which provides the clock and the timers. The default is {@link
   * Scheduler#system()}.
   */
  public Scheduler scheduler() {
    return values.scheduler;
  }

  /** Returns the factory for the informers' threads. By default, it creates platform threads. */
  public ThreadFactory threads() {
    return values.threads;
  }

  /** Returns the thread-safe random generator, which adds jitter to delays and time-outs. */
  public RandomGenerator random() {
    return values.random;
  }

  /**
   * Returns the function that returns the reflector's listener for each type. By default, it
   * returns {@link FeedListener#NONE} for all types.
   */
  public Function<ResourceType, FeedListener> listeners() {
    return values.listeners;
  }

  /**
   * Returns the time between audits, in which each informer compares its cache with the server.
   * Zero, which is the default, disables audits.
   */
  public Duration auditPeriod() {
    return values.auditPeriod;
  }

  /** Returns the watch time-out, after which the server ends a watch. The default is 20 s. */
  public Duration watchTimeout() {
    return values.watchTimeout;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof InformerOptions that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }

  /**
   * Returns a copy of these options with the given serialization, with which the informers decode
   * objects. The manager sets that of its client.
   */
  public InformerOptions withSerialization(ObjectSerialization other) {
    return new InformerOptions(
        new Values(
            values.scheduler,
            values.threads,
            values.random,
            values.listeners,
            values.auditPeriod,
            values.watchTimeout,
            other));
  }

  ObjectSerialization serialization() {
    return values.serialization;
  }
}
