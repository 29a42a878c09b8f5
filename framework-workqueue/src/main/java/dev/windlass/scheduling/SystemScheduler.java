// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler that uses real time. It is the only class of the framework that reads the JVM's
 * monotonic clock.
 */
final class SystemScheduler implements Scheduler {

  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);

  /**
   * The time after which the thread terminates if it has no tasks: 10 s. A shorter time would make
   * the scheduler start a new thread for each retry.
   */
  private static final Duration IDLE = Duration.ofSeconds(10);

  private final ScheduledThreadPoolExecutor executor;

  SystemScheduler() {
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread =
                  new Thread(task, "windlass-scheduler") {
                    @Override
                    public synchronized void start() { // by schedule(); a failure is not fatal
                      try {
                        super.start();
                      } catch (OutOfMemoryError e) {
                        throw new IllegalStateException("can't start the timer thread", e);
                      }
                    }
                  };
              thread.setDaemon(true);
              return thread;
            });
    executor.setKeepAliveTime(IDLE.toMillis(), TimeUnit.MILLISECONDS);
    executor.allowCoreThreadTimeOut(true);
    // Most timers are cancelled because a wait ended early. Cancelled timers must not accumulate.
    executor.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Alarm schedule(Runnable task, Duration delay) {
    ScheduledFuture<?> future =
        executor.schedule(
            () -> runSafely(task), Scheduler.saturatedNanos(delay), TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  private static void runSafely(Runnable task) {
    try {
      task.run();
    } catch (Throwable t) {
      log.error("A scheduled task failed; other tasks are not affected", t);
    }
  }
}
