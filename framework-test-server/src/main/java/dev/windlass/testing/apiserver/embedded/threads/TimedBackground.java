// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.threads;

import dev.windlass.testing.apiserver.embedded.time.Timers;
import java.time.Duration;

/** Runs tasks with the timers of a test, without a thread of its own. */
final class TimedBackground implements Background {
  private final Timers timers;
  private volatile boolean closed;

  TimedBackground(Timers timers) {
    this.timers = timers;
  }

  @Override
  public Runnable after(Duration delay, Runnable task) {
    Runnable logged = Background.logged(task);
    return timers.schedule(
        () -> {
          if (!closed) {
            logged.run();
          }
        },
        delay);
  }

  @Override
  public Runnable every(Duration period, Runnable task) {
    Repetition repetition = new Repetition(period, task);
    repetition.scheduleNext();
    return repetition::cancel;
  }

  @Override
  public void close() {
    closed = true;
  }

  /** A periodic task. Each run first schedules the next run. */
  private final class Repetition {
    private final Duration period;
    private final Runnable task;
    private Runnable next = () -> {};
    private boolean cancelled;

    Repetition(Duration period, Runnable task) {
      this.period = period;
      this.task = task;
    }

    synchronized void scheduleNext() {
      if (!cancelled) {
        next = after(period, this::run);
      }
    }

    private void run() {
      scheduleNext();
      task.run();
    }

    synchronized void cancel() {
      cancelled = true;
      next.run();
    }
  }
}
