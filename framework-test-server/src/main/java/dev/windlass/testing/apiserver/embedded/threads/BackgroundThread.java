// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.threads;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Runs tasks on a single named daemon thread, in real time. */
public final class BackgroundThread implements Background {
  private final JoinableThreads threads;
  private final ScheduledThreadPoolExecutor executor;

  public BackgroundThread(String name) {
    threads = new JoinableThreads(name);
    executor = new ScheduledThreadPoolExecutor(1, threads);
    executor.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Runnable after(Duration delay, Runnable task) {
    Runnable logged = Background.logged(task);
    return scheduled(() -> executor.schedule(logged, delay.toNanos(), TimeUnit.NANOSECONDS));
  }

  @Override
  public Runnable every(Duration period, Runnable task) {
    Runnable logged = Background.logged(task);
    long nanos = period.toNanos();
    return scheduled(
        () -> executor.scheduleAtFixedRate(logged, nanos, nanos, TimeUnit.NANOSECONDS));
  }

  private static Runnable scheduled(Supplier<Future<?>> schedule) {
    try {
      Future<?> task = schedule.get();
      return () -> task.cancel(false);
    } catch (RejectedExecutionException e) {
      return () -> {}; // the server is closing, so the task does not matter
    }
  }

  /**
   * Discards the tasks that have not started, and waits at most 5 s for the running task to end.
   */
  @Override
  public void close() {
    executor.shutdownNow();
    threads.join();
  }
}
