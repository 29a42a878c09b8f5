// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.feed.FeedListener;
import dev.windlass.object.ResourceType;
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
 */
public record InformerOptions(
    Scheduler scheduler,
    ThreadFactory threads,
    RandomGenerator random,
    Function<ResourceType, FeedListener> listeners,
    Duration auditPeriod) {

  /** The shortest period of audits: 1 min, as each one costs the server a list. */
  public static final Duration MINIMUM_AUDIT = Duration.ofMinutes(1);

  /** Refuses an audit period that is negative, or shorter than {@link #MINIMUM_AUDIT}. */
  public InformerOptions {
    if (!auditPeriod.isZero() && auditPeriod.compareTo(MINIMUM_AUDIT) < 0) {
      throw new IllegalArgumentException(
          "an audit every " + auditPeriod + ": use zero for none, or at least " + MINIMUM_AUDIT);
    }
  }

  /** The defaults. */
  public static InformerOptions defaults() {
    return new InformerOptions(
        Scheduler.system(),
        Thread::new,
        new java.util.Random(),
        type -> FeedListener.NONE,
        Duration.ZERO);
  }

  /** The same on another scheduler. */
  public InformerOptions withScheduler(Scheduler other) {
    return new InformerOptions(other, threads, random, listeners, auditPeriod);
  }

  /** The same with other threads. */
  public InformerOptions withThreads(ThreadFactory other) {
    return new InformerOptions(scheduler, other, random, listeners, auditPeriod);
  }

  /** The same with another source of randomness. */
  public InformerOptions withRandom(RandomGenerator other) {
    return new InformerOptions(scheduler, threads, other, listeners, auditPeriod);
  }

  /** The same with audits. */
  public InformerOptions withAuditPeriod(Duration period) {
    return new InformerOptions(scheduler, threads, random, listeners, period);
  }

  /** The same with one listener for all types. */
  public InformerOptions withListener(FeedListener other) {
    return withListeners(type -> other);
  }

  /** The same with a listener for each type. */
  public InformerOptions withListeners(Function<ResourceType, FeedListener> others) {
    return new InformerOptions(scheduler, threads, random, others, auditPeriod);
  }
}
