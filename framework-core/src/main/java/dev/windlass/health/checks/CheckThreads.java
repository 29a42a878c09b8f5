// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that run health checks, one for each check in progress. A thread that has been idle
 * for 30 s terminates.
 */
public final class CheckThreads {

  /** The maximum number of checks that can run or hang concurrently. */
  static final int MOST = 128;

  private final ThreadPoolExecutor pool;

  public CheckThreads(ThreadFactory threads) {
    AtomicInteger made = new AtomicInteger();
    pool =
        new ThreadPoolExecutor(
            0,
            MOST,
            30,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = threads.newThread(task);
              thread.setName("health-check-" + made.incrementAndGet());
              if (!thread.isDaemon()) {
                thread.setDaemon(true);
              }
              return thread;
            });
  }

  /**
   * Runs a task on a separate thread.
   *
   * @throws java.util.concurrent.RejectedExecutionException if too many checks are running, or if
   *     {@link #close} has been called
   */
  void run(Runnable task) {
    pool.execute(task);
  }

  boolean isClosed() {
    return pool.isShutdown();
  }

  String refusal() {
    return isClosed()
        ? "health checks have been stopped"
        : MOST + " other checks have not returned";
  }

  /** Interrupts the checks in progress and rejects further checks. */
  public void close() {
    pool.shutdownNow();
  }
}
