// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.logging.ControllerLog;
import dev.windlass.scheduling.FatalErrors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * A controller's worker threads. Initially, there are as many as configured. An additional worker
 * replaces each worker that a stuck reconcile blocks. There are at most twice as many workers as
 * configured. A replaced worker stops when its reconcile returns, unless it can replace another
 * blocked worker. This class is thread-safe.
 */
public final class Workers {

  private static final Logger log = ControllerLog.get();

  private final String controller;
  private final int number;
  private final ThreadFactory factory;
  private final Supplier<? extends Runnable> makes;

  @GuardedBy("this")
  private final List<Thread> threads = new ArrayList<>();

  /** The number of threads created so far, used in the thread names. */
  @GuardedBy("this")
  private int made;

  /** The number of threads created so far, excluding replacements. */
  @GuardedBy("this")
  private int regular;

  /** Whether no further threads must start. */
  private volatile boolean stopped;

  /** The stuck reconciles whose workers were replaced. */
  @GuardedBy("this")
  private final Set<ActiveReconcile> replaced = new HashSet<>();

  /** The stuck reconciles whose workers were not replaced because the maximum was reached. */
  @GuardedBy("this")
  private final Set<ActiveReconcile> waiting = new LinkedHashSet<>();

  /**
   * Creates the workers, but does not start any threads.
   *
   * @param makes creates the task of the next thread
   */
  Workers(ControllerConfig config, Supplier<? extends Runnable> makes) {
    this.controller = config.name();
    this.number = config.options().maxConcurrentReconciles();
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
    if (stopped || regular >= number) {
      return false;
    }
    startOne();
    regular++;
    return true;
  }

  /** Prevents {@link #start} from starting further threads. Returns immediately. */
  public void stop() {
    stopped = true;
  }

  @GuardedBy("this")
  private void startOne() {
    Thread thread = factory.newThread(makes.get());
    thread.setName(controller + "-worker-" + (made + 1));
    if (!thread.isDaemon()) {
      thread.setDaemon(true);
    }
    FatalErrors.start(thread);
    threads.add(thread);
    made++;
  }

  /**
   * Starts a worker to replace the one that a stuck reconcile blocks, unless that reconcile has
   * already returned. If the maximum number of workers is reached, this method logs an error
   * instead. If no thread can be created, this method throws an exception, and the caller can
   * retry.
   */
  synchronized void replace(ActiveReconcile stuck) {
    if (stuck.hasEnded() || replaced.contains(stuck)) {
      return;
    }
    if (replaced.size() >= number) {
      if (waiting.add(stuck)) {
        log.error(
            "{}: {} stuck workers have been replaced, which is the limit; {} blocks another one",
            controller,
            replaced.size(),
            stuck);
      }
      return;
    }
    startOne();
    replaced.add(stuck);
    stuck.passOn();
  }

  /**
   * Records that a stuck reconcile has returned, and determines whether its worker must stop. A
   * replaced worker must stop, unless another worker is blocked and has not been replaced. In that
   * case, the replaced worker continues as the replacement for the blocked one.
   *
   * @return whether the worker must stop because it was replaced
   */
  synchronized boolean wasReplaced(ActiveReconcile reconcile) {
    waiting.remove(reconcile);
    if (!replaced.remove(reconcile)) {
      return false;
    }
    Iterator<ActiveReconcile> next = waiting.iterator();
    if (!next.hasNext()) {
      return true;
    }
    ActiveReconcile other = next.next();
    replaced.add(other);
    other.passOn();
    next.remove();
    return false;
  }

  /** Returns the threads that are still alive. */
  public synchronized List<Thread> alive() {
    threads.removeIf(thread -> !thread.isAlive());
    return List.copyOf(threads);
  }
}
