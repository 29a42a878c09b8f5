// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testsupport;

import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * A scheduler that does something else than it should: a clock, and what becomes of each task.
 *
 * @param clock in nanoseconds
 * @param alarms sets the alarm for a task after a delay
 */
public record OddScheduler(LongSupplier clock, BiFunction<Runnable, Duration, Alarm> alarms)
    implements Scheduler {

  @Override
  public long nanoTime() {
    return clock.getAsLong();
  }

  @Override
  public Alarm schedule(Runnable task, Duration delay) {
    return alarms.apply(task, delay);
  }
}
