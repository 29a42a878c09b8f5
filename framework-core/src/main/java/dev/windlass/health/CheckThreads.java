// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads on which checks run, one for each that runs; idle ones end after 30 s. */
final class CheckThreads {

  /** How many checks may run, or hang, at a time. */
  static final int MOST = 128;

  private final ThreadPoolExecutor pool;

  CheckThreads(ThreadFactory threads) {
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
   * Runs it on a thread of its own.
   *
   * @throws java.util.concurrent.RejectedExecutionException if too many run already, or after the
   *     end
   */
  void run(Runnable task) {
    pool.execute(task);
  }

  /** Why it refuses to run a check. */
  String refusal() {
    return pool.isShutdown()
        ? "health checks have ended"
        : MOST + " other checks have not returned";
  }

  /** Interrupts what runs. */
  void close() {
    pool.shutdownNow();
  }
}
