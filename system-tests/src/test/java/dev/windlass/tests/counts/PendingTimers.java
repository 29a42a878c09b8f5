// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.counts;

import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The system's scheduler, with the timers that have neither fired nor been cancelled. */
final class PendingTimers implements Scheduler {

  private final Scheduler system = Scheduler.system();
  private final Set<Runnable> pending = ConcurrentHashMap.newKeySet();

  @Override
  public long nanoTime() {
    return system.nanoTime();
  }

  @Override
  public Alarm schedule(Runnable task, Duration delay) {
    Runnable once =
        new Runnable() {
          @Override
          public void run() {
            pending.remove(this);
            task.run();
          }
        };
    pending.add(once);
    Alarm alarm = system.schedule(once, delay);
    return () -> {
      alarm.cancel();
      pending.remove(once);
    };
  }

  int count() {
    return pending.size();
  }
}
