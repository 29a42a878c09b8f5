// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.scheduling.FatalErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/**
 * A controller's worker threads, which start with the first key of a term and end with the term. A
 * reconcile that ignores its interrupt keeps its worker: no other worker takes its place. This
 * class is thread-safe.
 */
public final class Workers {

  private final String controller;
  private final int number;
  private final ThreadFactory factory;
  private final Supplier<? extends Runnable> makes;

  @GuardedBy("this")
  private final List<Thread> threads = new ArrayList<>();

  /** The number of threads that have been created and have not ended with a term. */
  private volatile int made;

  /** Whether no further threads must start. */
  private volatile boolean stopped;

  /**
   * Creates the workers, but does not start any threads.
   *
   * @param makes creates the task of the next thread
   */
  Workers(ControllerConfig config, Supplier<? extends Runnable> makes) {
    this.controller = config.name();
    this.number = config.options().maxConcurrentReconciles;
    this.factory = config.workerThreads();
    this.makes = makes;
  }

  /**
   * Starts the configured number of threads, or fewer if {@link #stop} is called meanwhile. If a
   * thread cannot be created, this method throws an exception, and the next call starts the
   * remaining threads.
   */
  public void start() {
    boolean goesOn = true;
    while (goesOn) {
      goesOn = startNext(); // releases the lock in between, so that a stop need not wait
    }
  }

  private synchronized boolean startNext() {
    if (stopped || made >= number) {
      return false;
    }
    Thread thread = factory.newThread(makes.get());
    thread.setName(controller + "-worker-" + (made + 1));
    if (!thread.isDaemon()) {
      thread.setDaemon(true);
    }
    FatalErrors.start(thread);
    threads.add(thread);
    made++;
    return true;
  }

  /** Records that a worker ends, because the queue is closed. */
  synchronized void ended() {
    made--;
  }

  /** Prevents {@link #start} from starting further threads. Returns immediately. */
  public void stop() {
    stopped = true;
  }

  /**
   * Lets {@link #start} start threads again. A thread whose reconcile has outlasted its term counts
   * as one of them.
   */
  synchronized void renew() {
    stopped = false;
    if (alive().isEmpty()) {
      made = 0;
    }
  }

  /** Returns whether only some of the threads have been started in this term. */
  boolean areStarting() {
    return made > 0 && made < number;
  }

  /** Returns whether all threads have been started in this term. */
  boolean haveStarted() {
    return made >= number;
  }

  /** Returns how many of the threads that were started in this term have ended. */
  public synchronized int missing() {
    return stopped ? 0 : made - alive().size();
  }

  public synchronized List<Thread> alive() {
    threads.removeIf(thread -> !thread.isAlive());
    return List.copyOf(threads);
  }
}
