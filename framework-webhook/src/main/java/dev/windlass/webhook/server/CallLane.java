// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the calls to one path in order of arrival, and limits the number of concurrent calls. Each
 * path has its own lane, so that a handler that hangs does not affect other paths.
 *
 * <p>A call fails when its deadline passes, even if it is still waiting. If the handler is running
 * at that time, the lane interrupts the handler's thread. The call counts towards the limit until
 * the handler returns.
 *
 * <p>This class is thread-safe.
 */
final class CallLane {

  /** Receives the outcome of one call. The lane calls exactly one of these methods, once. */
  interface Ending {

    /** Called when the handler has returned a response. */
    void answered(byte[] answer);

    /**
     * Called if the handler has thrown an exception, or if no thread was available for the call.
     */
    void failed(Throwable failure);

    /** Called if the deadline passed before the handler returned. */
    void late();
  }

  private final int limit;
  private final Executor threads;
  private final Scheduler scheduler;

  @GuardedBy("this")
  private final Deque<Call> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private int running;

  CallLane(int limit, Executor threads, Scheduler scheduler) {
    this.limit = limit;
    this.threads = threads;
    this.scheduler = scheduler;
  }

  /**
   * Runs a call as soon as the limit on concurrent calls permits it.
   *
   * @param limit the time until the deadline, which includes the time in the queue
   * @param end the receiver of the outcome; the lane calls it on the call's thread, the scheduler's
   *     thread or the thread that calls a method of this class
   */
  void submit(Callable<byte[]> task, Duration limit, Ending end) {
    Call call = new Call(task, end);
    call.alarm = scheduler.schedule(call::expire, limit);
    synchronized (this) {
      waiting.add(call);
    }
    startNext();
  }

  private void startNext() {
    Call next;
    synchronized (this) {
      next = running < this.limit ? waiting.poll() : null;
      if (next == null) {
        return;
      }
      running++;
    }
    try {
      threads.execute(next);
    } catch (RuntimeException | Error e) { // there is no thread
      next.finish(ending -> ending.failed(e));
      leave();
    }
  }

  private void leave() {
    synchronized (this) {
      running--;
    }
    startNext();
  }

  /** Returns the number of waiting and running calls. */
  synchronized int size() {
    return waiting.size() + running;
  }

  /** A call that is waiting, running or complete. */
  private final class Call implements Runnable {

    private final Callable<byte[]> task;
    private final Ending end;
    private volatile Scheduler.@Nullable Alarm alarm;

    @GuardedBy("this")
    private @Nullable Thread thread;

    @GuardedBy("this")
    private boolean over;

    Call(Callable<byte[]> task, Ending end) {
      this.task = task;
      this.end = end;
    }

    @Override
    public void run() {
      try {
        if (begin()) {
          Consumer<Ending> outcome;
          try {
            byte[] answer = task.call();
            outcome = ending -> ending.answered(answer);
          } catch (Throwable e) { // user code, on this class's thread
            outcome = ending -> ending.failed(e);
          }
          detach();
          finish(outcome);
        }
      } finally {
        leave();
      }
    }

    private synchronized boolean begin() {
      thread = Thread.currentThread();
      return !over;
    }

    /**
     * Detaches the call from its thread. After this, {@link #expire} cannot interrupt the thread,
     * which may then be running another call.
     */
    private void detach() {
      synchronized (this) {
        thread = null;
      }
      var unused = Thread.interrupted();
    }

    private void expire() {
      synchronized (CallLane.this) {
        waiting.remove(this);
      }
      boolean isLate;
      synchronized (this) {
        isLate = !over;
        over = true; // must precede the interrupt, which can make the task fail
        if (isLate && thread != null) {
          thread.interrupt();
        }
      }
      if (isLate) {
        end.late();
      }
    }

    private void finish(Consumer<Ending> outcome) {
      synchronized (this) {
        if (over) {
          return;
        }
        over = true;
      }
      Scheduler.Alarm set = alarm;
      if (set != null) {
        set.cancel();
      }
      outcome.accept(end);
    }
  }
}
