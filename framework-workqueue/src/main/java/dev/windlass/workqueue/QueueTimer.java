// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single timer of a queue. It is set for the earliest deadline of all delayed keys.
 *
 * <p>If the scheduler fails to set the timer, the next operation of the queue tries again. If the
 * scheduler fails occasionally, some keys therefore become ready late, but no key is lost.
 *
 * <p>Instances are guarded by the queue's lock.
 */
final class QueueTimer {

  private static final Logger log = LoggerFactory.getLogger(WorkQueue.class);

  private final String queue;
  private final Scheduler scheduler;
  private final Runnable task;

  private Scheduler.@Nullable Alarm alarm;

  /** The time at which the timer fires. The value is meaningful only while a timer is set. */
  private long ringsAt;

  QueueTimer(String queue, Scheduler scheduler, Runnable task) {
    this.queue = queue;
    this.scheduler = scheduler;
    this.task = task;
  }

  /**
   * Clears the timer after it has fired. If the timer that fired has already been replaced, cancels
   * the current timer. The caller must then call {@link #agreeWith} to set the timer again.
   */
  void rang() {
    if (alarm != null) {
      alarm.cancel(); // this may be a newer timer, if the timer that fired was outdated
      alarm = null;
    }
  }

  boolean isMissing(DelayHeap<?> delays) {
    return alarm == null && !delays.isEmpty();
  }

  /**
   * Sets the timer for the earliest deadline, unless it is already set for that time or earlier.
   * Cancels the timer if no keys are delayed. Logs exceptions from the scheduler.
   *
   * @return false if the scheduler failed to set the timer; true otherwise
   */
  boolean agreeWith(DelayHeap<?> delays, long now) {
    if (alarm == null && delays.isEmpty()) {
      return true;
    }
    if (alarm != null) {
      if (!delays.isEmpty() && ringsAt - delays.nextDue() <= 0) {
        return true; // at worst the timer fires early, finds no key that is due, and is set again
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
    } catch (RuntimeException e) { // for example because no thread is left
      log.error("{}: failed to set an alarm; the next call tries again", queue, e);
      return false;
    }
  }
}
