// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.threads;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates daemon threads with numbered names, and waits for them to terminate. It is not sufficient
 * to wait for the termination of a thread pool, because the last threads of the pool may still be
 * exiting.
 */
public final class JoinableThreads implements ThreadFactory {
  private static final Logger log = LoggerFactory.getLogger(JoinableThreads.class);

  /**
   * The time limit for each thread. Interrupted threads terminate immediately or not at all, so a
   * longer limit would not be useful.
   */
  private static final long JOIN_MILLIS = 5_000;

  private final String prefix;

  @GuardedBy("this")
  private final List<Thread> threads = new ArrayList<>();

  @GuardedBy("this")
  private int made;

  /** Creates a factory of threads named {@code prefix-1}, {@code prefix-2} and so on. */
  public JoinableThreads(String prefix) {
    this.prefix = prefix;
  }

  @Override
  public synchronized Thread newThread(Runnable task) {
    threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
    made++;
    Thread thread = new Thread(task, prefix + "-" + made);
    thread.setDaemon(true);
    threads.add(thread);
    return thread;
  }

  /**
   * Waits for all threads to terminate, at most 5 s for each thread. Before this call, shut down
   * the pool that uses the threads.
   */
  public void join() {
    try {
      for (Thread thread : all()) {
        thread.join(JOIN_MILLIS);
        if (thread.isAlive()) {
          log.warn("{} is still running after {} ms", thread.getName(), JOIN_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized List<Thread> all() {
    return List.copyOf(threads);
  }
}
