// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import java.time.Duration;

/**
 * A point in time by which several steps together must have ended. Each step receives the time that
 * is {@link #left}. Instances are immutable and thread-safe.
 */
public final class Deadline {

  private final Scheduler scheduler;

  /** The time as a value of {@link Scheduler#nanoTime}. */
  private final long at;

  private Deadline(Scheduler scheduler, long at) {
    this.scheduler = scheduler;
    this.at = at;
  }

  /** Returns the deadline for a time limit that starts now. */
  public static Deadline in(Duration limit, Scheduler scheduler) {
    return new Deadline(scheduler, scheduler.nanoTime() + Scheduler.saturatedNanos(limit));
  }

  /** Returns a deadline that is earlier by the given time. */
  public Deadline earlierBy(Duration time) {
    return new Deadline(scheduler, at - Scheduler.saturatedNanos(time));
  }

  /** Returns the time that remains, or zero if the deadline has passed. */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, at - scheduler.nanoTime()));
  }

  /** Returns whether no time is left. */
  public boolean hasPassed() {
    return at - scheduler.nanoTime() <= 0;
  }
}
