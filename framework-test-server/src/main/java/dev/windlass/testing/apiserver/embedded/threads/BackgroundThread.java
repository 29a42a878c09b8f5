// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.threads;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A named daemon thread that runs immediate and delayed tasks. */
public final class BackgroundThread implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(BackgroundThread.class);

  private final JoinableThreads threads;
  private final ScheduledThreadPoolExecutor executor;

  public BackgroundThread(String name) {
    threads = new JoinableThreads(name);
    executor = new ScheduledThreadPoolExecutor(1, threads);
    executor.setRemoveOnCancelPolicy(true);
  }

  /** Runs {@code task} as soon as the thread is free, unless this object is closed. */
  public void run(Runnable task) {
    after(Duration.ZERO, task);
  }

  /**
   * Runs {@code task} once after {@code delay}, unless this object is closed or the task is
   * cancelled first.
   */
  @CanIgnoreReturnValue
  public Future<?> after(Duration delay, Runnable task) {
    return schedule(delay, Duration.ZERO, task);
  }

  /**
   * Runs {@code task} once in each {@code period} until this object is closed or the task is
   * cancelled.
   */
  public Future<?> every(Duration period, Runnable task) {
    return schedule(period, period, task);
  }

  private Future<?> schedule(Duration delay, Duration period, Runnable task) {
    Runnable logged = () -> runLogged(task);
    try {
      return period.isZero()
          ? executor.schedule(logged, delay.toNanos(), TimeUnit.NANOSECONDS)
          : executor.scheduleAtFixedRate(
              logged, delay.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // The server is closing, so the result does not matter.
      return CompletableFuture.completedFuture(null);
    }
  }

  private static void runLogged(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      log.error("a background task of the embedded API server failed", e);
    }
  }

  /** Drops tasks that have not started, and waits at most 5 s for the running task. */
  @Override
  public void close() {
    executor.shutdownNow();
    threads.join();
  }
}
