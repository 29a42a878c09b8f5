// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.feed.FeedListener;
import dev.windlass.object.ResourceType;
import dev.windlass.time.Scheduler;
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
 */
public record InformerOptions(
    Scheduler scheduler,
    ThreadFactory threads,
    RandomGenerator random,
    Function<ResourceType, FeedListener> listeners) {

  /** The defaults. */
  public static InformerOptions defaults() {
    return new InformerOptions(
        Scheduler.system(), Thread::new, new java.util.Random(), type -> FeedListener.NONE);
  }

  /** The same on another scheduler. */
  public InformerOptions withScheduler(Scheduler other) {
    return new InformerOptions(other, threads, random, listeners);
  }

  /** The same with other threads. */
  public InformerOptions withThreads(ThreadFactory other) {
    return new InformerOptions(scheduler, other, random, listeners);
  }

  /** The same with another source of randomness. */
  public InformerOptions withRandom(RandomGenerator other) {
    return new InformerOptions(scheduler, threads, other, listeners);
  }

  /** The same with one listener for all types. */
  public InformerOptions withListener(FeedListener other) {
    return withListeners(type -> other);
  }

  /** The same with a listener for each type. */
  public InformerOptions withListeners(Function<ResourceType, FeedListener> others) {
    return new InformerOptions(scheduler, threads, random, others);
  }
}
