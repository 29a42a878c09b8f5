// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.Optional;

/**
 * Checks that the scheduler's timers fire. Each call sets a timer, unless one is already set, and
 * reports a timer that has not fired within {@link HeartbeatWatch#PATIENCE}. A heartbeat does not
 * reveal this problem, because a loop that waits for a timer appears healthy. This class is
 * thread-safe.
 */
public final class AlarmCheck implements Health.Problem {

  private static final Duration DELAY = Duration.ofSeconds(1);

  private final Scheduler scheduler;

  /** Whether a timer has been set but has not fired yet. */
  @GuardedBy("this")
  private boolean waiting;

  @GuardedBy("this")
  private long setAt;

  public AlarmCheck(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public synchronized Optional<String> find() {
    long now = scheduler.nanoTime();
    if (!waiting) {
      scheduler.schedule(this::rang, DELAY);
      waiting = true;
      setAt = now;
      return Optional.empty();
    }
    Duration late = Duration.ofNanos(now - setAt);
    return late.compareTo(HeartbeatWatch.PATIENCE) < 0
        ? Optional.empty()
        : Optional.of("no timer has fired for " + late.toSeconds() + " s");
  }

  private synchronized void rang() {
    waiting = false;
  }
}
