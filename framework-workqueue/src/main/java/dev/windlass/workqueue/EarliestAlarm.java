// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.time.Scheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The one alarm that a queue sets, for the earliest deadline of its delayed keys, however many
 * there are.
 *
 * <p>Guarded by the queue's lock.
 */
final class EarliestAlarm {

  private final Scheduler scheduler;
  private final Runnable task;

  private Scheduler.@Nullable Alarm alarm;

  /** When it rings; only meaningful while there is one. */
  private long ringsAt;

  EarliestAlarm(Scheduler scheduler, Runnable task) {
    this.scheduler = scheduler;
    this.task = task;
  }

  /** It rang, or rings while it is being called off; either way it is not set any more. */
  void rang() {
    if (alarm != null) {
      alarm.cancel(); // another one, if this one rang too late
      alarm = null;
    }
  }

  /** Makes the alarm agree with the earliest deadline. */
  void agreeWith(DelayHeap<?> delays, long now) {
    if (alarm == null && delays.isEmpty()) {
      return;
    }
    if (alarm != null) {
      if (!delays.isEmpty() && ringsAt - delays.nextDue() <= 0) {
        return; // it rings early at worst, finds nothing due, and is set again
      }
      alarm.cancel();
      alarm = null;
    }
    if (!delays.isEmpty()) {
      ringsAt = delays.nextDue();
      alarm = scheduler.schedule(task, Duration.ofNanos(Math.max(0, ringsAt - now)));
    }
  }
}
