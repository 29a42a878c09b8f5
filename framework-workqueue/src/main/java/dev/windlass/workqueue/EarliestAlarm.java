// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.time.Scheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only alarm of a queue, set for the earliest deadline of all its delayed keys.
 *
 * <p>An alarm that could not be set is missing until the next attempt. The queue tries again at
 * each of its calls, so a scheduler that fails occasionally delays keys but does not lose them.
 *
 * <p>Guarded by the queue's lock.
 */
final class EarliestAlarm {

  private static final Logger log = LoggerFactory.getLogger(WorkQueue.class);

  private final String queue;
  private final Scheduler scheduler;
  private final Runnable task;

  private Scheduler.@Nullable Alarm alarm;

  /** The time at which the alarm fires; only meaningful while there is one. */
  private long ringsAt;

  EarliestAlarm(String queue, Scheduler scheduler, Runnable task) {
    this.queue = queue;
    this.scheduler = scheduler;
    this.task = task;
  }

  /** Clears the alarm after it has fired, even if it fired while it was being cancelled. */
  void rang() {
    if (alarm != null) {
      alarm.cancel(); // a newer one, if the one that fired was outdated
      alarm = null;
    }
  }

  /** Returns whether keys are delayed and no alarm is set for them. */
  boolean isMissing(DelayHeap<?> delays) {
    return alarm == null && !delays.isEmpty();
  }

  /**
   * Sets the alarm for the earliest deadline, if it is not set for that yet.
   *
   * @return whether the alarm is set accordingly; an exception from the scheduler is logged
   */
  boolean agreeWith(DelayHeap<?> delays, long now) {
    if (alarm == null && delays.isEmpty()) {
      return true;
    }
    if (alarm != null) {
      if (!delays.isEmpty() && ringsAt - delays.nextDue() <= 0) {
        return true; // at worst it fires early, finds nothing due, and is set again
      }
      alarm.cancel();
      alarm = null;
    }
    return delays.isEmpty() || set(delays.nextDue(), now);
  }

  private boolean set(long due, long now) {
    try {
      alarm = scheduler.schedule(task, Duration.ofNanos(Math.max(0, due - now)));
      ringsAt = due;
      return true;
    } catch (RuntimeException | Error e) { // for lack of a thread or memory
      report(e);
      return false;
    }
  }

  private void report(Throwable failure) {
    try {
      log.error("{}: failed to set an alarm; the next call tries again", queue, failure);
    } catch (RuntimeException | Error e) {
      // Logging failed as well. The next call still tries again.
    }
  }
}
