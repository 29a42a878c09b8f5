// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.Optional;

/**
 * Sets an alarm, and finds out whether it rings: without alarms every rest is for ever, and no loop
 * would show it. Thread safe.
 */
public final class AlarmCheck implements Health.Trouble {

  private static final Duration DELAY = Duration.ofSeconds(1);

  private final Scheduler scheduler;

  /** Whether one is set that has not rung. */
  @GuardedBy("this")
  private boolean waiting;

  @GuardedBy("this")
  private long setAt;

  /** No alarm yet. */
  public AlarmCheck(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public Optional<String> find() {
    long now = scheduler.nanoTime();
    synchronized (this) {
      if (waiting) {
        Duration late = Duration.ofNanos(now - setAt);
        return late.compareTo(PulseWatch.PATIENCE) < 0
            ? Optional.empty()
            : Optional.of("no alarm has rung for " + late.toSeconds() + " s");
      }
      waiting = true;
      setAt = now;
    }
    boolean set = false;
    try {
      scheduler.schedule(this::rang, DELAY);
      set = true;
      return Optional.empty();
    } finally {
      if (!set) {
        rang();
      }
    }
  }

  private synchronized void rang() {
    waiting = false;
  }
}
