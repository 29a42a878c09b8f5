// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.threads;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates daemon threads with numbered names, and waits for them to terminate. Waiting for the
 * termination of a thread pool is not sufficient, because the last threads of the pool may still be
 * exiting at that time.
 */
public final class JoinableThreads implements ThreadFactory {
  private static final Logger log = LoggerFactory.getLogger(JoinableThreads.class);

  /**
   * The maximum time to wait for each thread: 5 s. Interrupted threads terminate immediately or not
   * at all, so a longer time would not be useful.
   */
  private static final long JOIN_MILLIS = 5_000;

  private final String prefix;

  @GuardedBy("this")
  private final List<Thread> threads = new ArrayList<>();

  @GuardedBy("this")
  private int made;

  /** Creates a factory for threads named {@code prefix-1}, {@code prefix-2} and so on. */
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
   * Waits for all threads to terminate, at most 5 s for each thread. Shut down the thread pool
   * before you call this method.
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
