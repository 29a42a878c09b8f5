// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.threads;

import dev.windlass.testing.apiserver.embedded.time.Timers;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps the tasks of a server without threads until {@link #run()} is called. Tasks with a delay
 * never run. This class is thread-safe.
 */
public final class DueTasks implements Timers {
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean running = new AtomicBoolean();

  @Override
  public Runnable schedule(Runnable task, Duration delay) {
    if (!delay.isZero()) {
      return () -> {};
    }
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  /**
   * Runs all tasks, one at a time. If a task or another thread is running them, returns at once.
   */
  public void run() {
    while (!tasks.isEmpty() && running.compareAndSet(false, true)) {
      try {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
          task.run();
        }
      } finally {
        running.set(false);
      }
    }
  }
}
