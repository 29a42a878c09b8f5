// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.fault;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * The network that a {@link TcpProxy} simulates. Holds the current conditions, and blocks threads
 * until the conditions allow traffic. This class is thread-safe.
 */
final class Network {

  private final ScheduledThreadPoolExecutor timer = timer();

  @GuardedBy("this")
  private NetworkConditions conditions = NetworkConditions.CLEAR;

  @GuardedBy("this")
  private boolean closed;

  /** Creates a timer with one daemon thread. Without tasks, the thread ends after one second. */
  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "proxy-timer");
              thread.setDaemon(true);
              return thread;
            });
    timer.setKeepAliveTime(1, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /** Runs a short task after a delay. */
  Future<?> schedule(Runnable task, Duration delay) {
    return timer.schedule(task, NetworkConditions.saturatedNanos(delay), TimeUnit.NANOSECONDS);
  }

  synchronized NetworkConditions now() {
    return conditions;
  }

  /** Changes the conditions and wakes all waiting threads. */
  synchronized void change(UnaryOperator<NetworkConditions> order) {
    conditions = order.apply(conditions);
    notifyAll();
  }

  /** Ends all current waits, and makes later waits return immediately. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Wakes all waiting threads. Each thread then checks its condition again. */
  synchronized void wake() {
    notifyAll();
  }

  /**
   * Blocks while the network is frozen or {@link TcpProxy#forget()} has stopped the connection.
   * Returns immediately if the connection or the network is closed.
   */
  synchronized void awaitThaw(ProxiedConnection connection) throws InterruptedException {
    while (!closed
        && connection.isOpen()
        && (conditions.mode() == NetworkConditions.Mode.FROZEN || connection.isForgotten())) {
      wait();
    }
  }

  /**
   * Blocks until a time that depends on the conditions, or until the connection or the network is
   * closed. After each change of the conditions, this method computes the time again.
   *
   * @param nanoTime the function that returns the time as a value of {@link System#nanoTime()}
   */
  synchronized void awaitTime(
      ProxiedConnection connection, ToLongFunction<NetworkConditions> nanoTime)
      throws InterruptedException {
    while (!closed && connection.isOpen()) {
      long left = nanoTime.applyAsLong(conditions) - System.nanoTime();
      if (left <= 0) {
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }
}
