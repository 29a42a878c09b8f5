// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The least time between the beginnings of two runs for one request. A request that has not run for
 * so long may run at once; what comes after that waits together for the interval to end. Keeps one
 * entry for each request that has run within the last interval. Thread safe.
 */
final class MinimumInterval {

  private record Began(Request request, long at) {}

  private final long interval;
  private final Scheduler scheduler;

  /** When each request may run again. */
  @GuardedBy("this")
  private final Map<Request, Long> last = new HashMap<>();

  /** The same by time, the oldest first. */
  @GuardedBy("this")
  private final Deque<Began> inOrder = new ArrayDeque<>();

  MinimumInterval(Duration interval, Scheduler scheduler) {
    this.interval = Scheduler.saturatedNanos(interval);
    this.scheduler = scheduler;
  }

  /** How long a request must wait; zero if it may run now. */
  synchronized Duration hold(Request request) {
    if (interval == 0) {
      return Duration.ZERO;
    }
    long now = scheduler.nanoTime();
    forgetBefore(now);
    Long began = last.get(request);
    return began == null ? Duration.ZERO : Duration.ofNanos(interval - (now - began));
  }

  /** A run for a request begins. */
  synchronized void begin(Request request) {
    if (interval != 0) {
      long now = scheduler.nanoTime();
      last.put(request, now);
      inOrder.add(new Began(request, now));
    }
  }

  /** Forgets what has run at least an interval ago. */
  @GuardedBy("this")
  private void forgetBefore(long now) {
    while (!inOrder.isEmpty() && now - inOrder.peekFirst().at() >= interval) {
      Began oldest = inOrder.removeFirst();
      last.remove(oldest.request(), oldest.at());
    }
  }

  /** How many requests are kept. */
  synchronized int size() {
    return last.size();
  }
}
