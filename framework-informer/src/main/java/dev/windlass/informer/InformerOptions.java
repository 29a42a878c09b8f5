// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.feed.FeedListener;
import dev.windlass.time.Scheduler;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/**
 * What informers need of their surroundings.
 *
 * @param scheduler the clock and the alarm; default {@link Scheduler#system()}
 * @param threads makes the threads of the loops; default platform threads
 * @param random spreads delays and time-outs; must be thread safe
 * @param listener hears what the reflectors do; default {@link FeedListener#NONE}
 */
public record InformerOptions(
    Scheduler scheduler, ThreadFactory threads, RandomGenerator random, FeedListener listener) {

  /** The defaults. */
  public static InformerOptions defaults() {
    return new InformerOptions(
        Scheduler.system(), Thread::new, new java.util.Random(), FeedListener.NONE);
  }

  /** The same on another scheduler. */
  public InformerOptions withScheduler(Scheduler other) {
    return new InformerOptions(other, threads, random, listener);
  }

  /** The same with other threads. */
  public InformerOptions withThreads(ThreadFactory other) {
    return new InformerOptions(scheduler, other, random, listener);
  }

  /** The same with another source of randomness. */
  public InformerOptions withRandom(RandomGenerator other) {
    return new InformerOptions(scheduler, threads, other, listener);
  }

  /** The same with another listener. */
  public InformerOptions withListener(FeedListener other) {
    return new InformerOptions(scheduler, threads, random, other);
  }
}
