// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.feed.FeedListener;
import dev.windlass.object.ResourceType;
import dev.windlass.time.DurationText;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What informers need of their surroundings. Immutable; start from {@link #defaults()}. */
public final class InformerOptions {

  /** The shortest period of audits: 1 min, as each one costs the server a list. */
  public static final Duration MINIMUM_AUDIT = Duration.ofMinutes(1);

  /** How soon the server is asked to end a watch unless said otherwise. */
  public static final Duration DEFAULT_WATCH_TIMEOUT = Duration.ofSeconds(20);

  private static final Duration MINIMUM_WATCH = Duration.ofSeconds(10);
  private static final Duration MAXIMUM_WATCH = Duration.ofHours(1);

  private record Values(
      Scheduler scheduler,
      ThreadFactory threads,
      RandomGenerator random,
      Function<ResourceType, FeedListener> listeners,
      Duration auditPeriod,
      Duration watchTimeout) {

    /**
     * Refuses an audit period that is negative, or shorter than {@link #MINIMUM_AUDIT}, and a watch
     * time-out below 10 s or above 1 h.
     */
    Values {
      if (watchTimeout.compareTo(MINIMUM_WATCH) < 0 || watchTimeout.compareTo(MAXIMUM_WATCH) > 0) {
        throw new IllegalArgumentException(
            "a watch time-out of "
                + DurationText.of(watchTimeout)
                + ": use at least 10 s and at most 1 h");
      }
      if (!auditPeriod.isZero() && auditPeriod.compareTo(MINIMUM_AUDIT) < 0) {
        throw new IllegalArgumentException(
            "an audit every "
                + DurationText.of(auditPeriod)
                + ": use zero for none, or at least "
                + DurationText.of(MINIMUM_AUDIT));
      }
    }
  }

  private final Values values;

  private InformerOptions(Values values) {
    this.values = values;
  }

  /** The defaults. */
  public static InformerOptions defaults() {
    return new InformerOptions(
        new Values(
            Scheduler.system(),
            Thread::new,
            new java.util.Random(),
            type -> FeedListener.NONE,
            Duration.ZERO,
            DEFAULT_WATCH_TIMEOUT));
  }

  /** The same on another scheduler. */
  public InformerOptions withScheduler(Scheduler other) {
    return new InformerOptions(
        new Values(
            other,
            values.threads,
            values.random,
            values.listeners,
            values.auditPeriod,
            values.watchTimeout));
  }

  /** The same with other threads. */
  public InformerOptions withThreads(ThreadFactory other) {
    return new InformerOptions(
        new Values(
            values.scheduler,
            other,
            values.random,
            values.listeners,
            values.auditPeriod,
            values.watchTimeout));
  }

  /** The same with another source of randomness, which must be thread safe. */
  public InformerOptions withRandom(RandomGenerator other) {
    return new InformerOptions(
        new Values(
            values.scheduler,
            values.threads,
            other,
            values.listeners,
            values.auditPeriod,
            values.watchTimeout));
  }

  /**
   * The same with audits.
   *
   * @param period how often each copy is compared with the server, by a list of keys and versions,
   *     and made good if events got lost; default zero: never
   * @throws IllegalArgumentException if it is neither zero nor at least {@link #MINIMUM_AUDIT}
   */
  public InformerOptions withAuditPeriod(Duration period) {
    return new InformerOptions(
        new Values(
            values.scheduler,
            values.threads,
            values.random,
            values.listeners,
            period,
            values.watchTimeout));
  }

  /**
   * The same with watches of another length.
   *
   * @param timeout after which the server is asked to end each watch, and up to half as much again
   *     at random; default 20 s. A connection that died without a word is noticed after 1.5 times
   *     that and 15 s at the latest, so after 45 s. Each watch that is opened anew costs a request
   *     per type and replica, and no list: about 3 in a minute by default
   * @throws IllegalArgumentException if it is below 10 s or above 1 h
   */
  public InformerOptions withWatchTimeout(Duration timeout) {
    return new InformerOptions(
        new Values(
            values.scheduler,
            values.threads,
            values.random,
            values.listeners,
            values.auditPeriod,
            timeout));
  }

  /** The same with one listener for all types. */
  public InformerOptions withListener(FeedListener other) {
    return withListeners(type -> other);
  }

  /** The same with a function that gives each type the listener of its reflector. */
  public InformerOptions withListeners(Function<ResourceType, FeedListener> others) {
    return new InformerOptions(
        new Values(
            values.scheduler,
            values.threads,
            values.random,
            others,
            values.auditPeriod,
            values.watchTimeout));
  }

  /** The clock and the alarm; default {@link Scheduler#system()}. */
  public Scheduler scheduler() {
    return values.scheduler;
  }

  /** Makes the threads of the loops; default platform threads. */
  public ThreadFactory threads() {
    return values.threads;
  }

  /** Spreads delays and time-outs; thread safe. */
  public RandomGenerator random() {
    return values.random;
  }

  /** Gives each type the listener of its reflector; default {@link FeedListener#NONE} for all. */
  public Function<ResourceType, FeedListener> listeners() {
    return values.listeners;
  }

  /** How often each copy is compared with the server; default zero: never. */
  public Duration auditPeriod() {
    return values.auditPeriod;
  }

  /** How long a watch lasts; default 20 s. */
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
}
