// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.fault;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.time.Scheduler;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/** The present conditions, which connections wait for to get better. Safe for several threads. */
final class Network {

  private final Scheduler scheduler = Scheduler.system();

  @GuardedBy("this")
  private Conditions conditions = Conditions.CLEAR;

  @GuardedBy("this")
  private boolean closed;

  Scheduler scheduler() {
    return scheduler;
  }

  synchronized Conditions now() {
    return conditions;
  }

  /** Changes the conditions, and wakes all who wait for another time to go on. */
  synchronized void change(UnaryOperator<Conditions> order) {
    conditions = order.apply(conditions);
    notifyAll();
  }

  /** Ends all waiting, for ever. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** Lets those who wait look again whether they still have to. */
  synchronized void wake() {
    notifyAll();
  }

  /** Waits while the network is frozen, or the link forgotten; never for a link that is closed. */
  synchronized void awaitThaw(Link link) throws InterruptedException {
    while (!closed
        && link.isOpen()
        && (conditions.mode() == Conditions.Mode.FROZEN || link.isForgotten())) {
      wait();
    }
  }

  /**
   * Waits for the time that the conditions name, other conditions maybe an earlier one; never for a
   * link that is closed.
   */
  synchronized void awaitTime(Link link, ToLongFunction<Conditions> nanoTime)
      throws InterruptedException {
    while (!closed && link.isOpen()) {
      long left = nanoTime.applyAsLong(conditions) - scheduler.nanoTime();
      if (left <= 0) {
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }
}
