// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.logging.ControllerLog;
import dev.windlass.controller.logging.SafeLog;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.scheduling.Deadline;
import dev.windlass.scheduling.FatalErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;

/**
 * Runs user code on separate threads, so that callers do not have to wait for it. Such code is the
 * start and the stop of a source, or an action that a reconcile has registered for its
 * cancellation. Each task has its own thread, which terminates with the task. This class is
 * thread-safe.
 */
public final class BackgroundTasks {

  private static final Logger log = ControllerLog.get();

  private final String controller;
  private final ThreadFactory threads;

  @GuardedBy("this")
  private final List<Thread> running = new ArrayList<>();

  BackgroundTasks(ControllerConfig config) {
    this.controller = config.name();
    this.threads = config.threads();
  }

  /**
   * Runs a task on a new thread, and does not wait for it. If no thread can be created, runs the
   * task on the calling thread.
   *
   * @param name the suffix of the thread's name; the prefix is the controller's name
   * @param task the task; this class logs the exceptions that it throws
   */
  public void send(String name, Runnable task) {
    Runnable safe = () -> runSafely(name, task);
    try {
      Thread thread = threads.newThread(safe);
      thread.setName(controller + "-" + name);
      if (!thread.isDaemon()) {
        thread.setDaemon(true);
      }
      synchronized (this) {
        running.removeIf(other -> !other.isAlive());
        FatalErrors.start(thread);
        running.add(thread);
      }
    } catch (RuntimeException | Error e) {
      log.warn(
          "{}: Failed to start a thread for {}; running it on the current thread",
          controller,
          name,
          e);
      safe.run();
    }
  }

  private void runSafely(String name, Runnable task) {
    try {
      task.run();
    } catch (Throwable t) { // user code at the root of a thread
      FatalErrors.rethrow(t);
      SafeLog.error("{} failed; other tasks continue", controller + "-" + name, t);
    }
  }

  /** Returns all threads that are still running, except the calling thread. */
  private synchronized List<Thread> others() {
    running.removeIf(thread -> !thread.isAlive());
    return running.stream().filter(thread -> thread != Thread.currentThread()).toList();
  }

  /**
   * Waits for all threads to terminate.
   *
   * @return whether all threads have terminated
   */
  public boolean join(Deadline deadline) throws InterruptedException {
    for (List<Thread> left = others(); !left.isEmpty(); left = others()) {
      left.get(0).join(Math.max(1, deadline.left().toMillis()));
      if (left.get(0).isAlive()) {
        return false;
      }
    }
    return isIdle();
  }

  public synchronized boolean isIdle() {
    return running.stream().noneMatch(Thread::isAlive);
  }
}
