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

/**
 * What informers need of their surroundings. Start from {@link #defaults()} and change what
 * differs: the constructor grows with each new setting.
 *
 * @param scheduler the clock and the alarm; default {@link Scheduler#system()}
 * @param threads makes the threads of the loops; default platform threads
 * @param random spreads delays and time-outs; must be thread safe
 * @param listeners gives each type the one who hears what its reflector does; default {@link
 *     FeedListener#NONE} for all
 * @param auditPeriod how often each copy is compared with the server, by a list of keys and
 *     versions, and made good if events got lost; default zero: never
 * @param watchTimeout after which the server is asked to end each watch, and up to half as much
 *     again at random; default 20 s. A connection that died without a word is noticed after 1.5
 *     times that and 15 s at the latest, so after 45 s. Each watch that is opened anew costs a
 *     request per type and replica, and no list: about 3 in a minute by default. From 10 s to 1 h
 */
public record InformerOptions(
    Scheduler scheduler,
    ThreadFactory threads,
    RandomGenerator random,
    Function<ResourceType, FeedListener> listeners,
    Duration auditPeriod,
    Duration watchTimeout) {

  /** The shortest period of audits: 1 min, as each one costs the server a list. */
  public static final Duration MINIMUM_AUDIT = Duration.ofMinutes(1);

  /** How soon the server is asked to end a watch unless said otherwise. */
  public static final Duration DEFAULT_WATCH_TIMEOUT = Duration.ofSeconds(20);

  private static final Duration MINIMUM_WATCH = Duration.ofSeconds(10);
  private static final Duration MAXIMUM_WATCH = Duration.ofHours(1);

  /**
   * Refuses an audit period that is negative, or shorter than {@link #MINIMUM_AUDIT}, and a watch
   * time-out below 10 s or above 1 h.
   */
  public InformerOptions {
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

  /** The defaults. */
  public static InformerOptions defaults() {
    return new InformerOptions(
        Scheduler.system(),
        Thread::new,
        new java.util.Random(),
        type -> FeedListener.NONE,
        Duration.ZERO,
        DEFAULT_WATCH_TIMEOUT);
  }

  /** The same on another scheduler. */
  public InformerOptions withScheduler(Scheduler other) {
    return new InformerOptions(other, threads, random, listeners, auditPeriod, watchTimeout);
  }

  /** The same with other threads. */
  public InformerOptions withThreads(ThreadFactory other) {
    return new InformerOptions(scheduler, other, random, listeners, auditPeriod, watchTimeout);
  }

  /** The same with another source of randomness. */
  public InformerOptions withRandom(RandomGenerator other) {
    return new InformerOptions(scheduler, threads, other, listeners, auditPeriod, watchTimeout);
  }

  /** The same with audits. */
  public InformerOptions withAuditPeriod(Duration period) {
    return new InformerOptions(scheduler, threads, random, listeners, period, watchTimeout);
  }

  /** The same with watches of another length. */
  public InformerOptions withWatchTimeout(Duration timeout) {
    return new InformerOptions(scheduler, threads, random, listeners, auditPeriod, timeout);
  }

  /** The same with one listener for all types. */
  public InformerOptions withListener(FeedListener other) {
    return withListeners(type -> other);
  }

  /** The same with a listener for each type. */
  public InformerOptions withListeners(Function<ResourceType, FeedListener> others) {
    return new InformerOptions(scheduler, threads, random, others, auditPeriod, watchTimeout);
  }
}
