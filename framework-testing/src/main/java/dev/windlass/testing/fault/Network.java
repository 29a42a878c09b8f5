// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.fault;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.time.Scheduler;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/** The current conditions, with methods to wait until they improve. Thread safe. */
final class Network {

  private final Scheduler scheduler = Scheduler.system();

  @GuardedBy("this")
  private NetworkConditions conditions = NetworkConditions.CLEAR;

  @GuardedBy("this")
  private boolean closed;

  Scheduler scheduler() {
    return scheduler;
  }

  synchronized NetworkConditions now() {
    return conditions;
  }

  /** Changes the conditions, and wakes all waiting threads. */
  synchronized void change(UnaryOperator<NetworkConditions> order) {
    conditions = order.apply(conditions);
    notifyAll();
  }

  /** Ends all waiting, permanently. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Wakes all waiting threads, so that they check again whether to wait. */
  synchronized void wake() {
    notifyAll();
  }

  /**
   * Waits while the network is frozen or the link is forgotten; does not wait for a closed link.
   */
  synchronized void awaitThaw(ProxiedConnection connection) throws InterruptedException {
    while (!closed
        && connection.isOpen()
        && (conditions.mode() == NetworkConditions.Mode.FROZEN || connection.isForgotten())) {
      wait();
    }
  }

  /**
   * Waits until the time that the function computes from the conditions, which a change of the
   * conditions may make earlier. Does not wait for a closed link.
   */
  synchronized void awaitTime(
      ProxiedConnection connection, ToLongFunction<NetworkConditions> nanoTime)
      throws InterruptedException {
    while (!closed && connection.isOpen()) {
      long left = nanoTime.applyAsLong(conditions) - scheduler.nanoTime();
      if (left <= 0) {
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }
}
