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
 * Enforces a minimum time between the starts of two runs for one request. A request that has not
 * run within the interval may run at once; later requests are merged and wait for the interval to
 * end. Keeps one entry for each request that has run within the last interval. Thread safe.
 */
final class MinimumInterval {

  private record Began(Request request, long at) {}

  private final long interval;
  private final Scheduler scheduler;

  /** When each request last started. */
  @GuardedBy("this")
  private final Map<Request, Long> last = new HashMap<>();

  /** The same entries by time, oldest first. */
  @GuardedBy("this")
  private final Deque<Began> inOrder = new ArrayDeque<>();

  MinimumInterval(Duration interval, Scheduler scheduler) {
    this.interval = Scheduler.saturatedNanos(interval);
    this.scheduler = scheduler;
  }

  /** Returns how long a request must wait; zero if it may run now. */
  synchronized Duration hold(Request request) {
    long now = scheduler.nanoTime();
    forgetBefore(now);
    Long began = last.get(request);
    return began == null ? Duration.ZERO : Duration.ofNanos(interval - (now - began));
  }

  /** Records the start of a run for a request. */
  synchronized void begin(Request request) {
    long now = scheduler.nanoTime();
    last.put(request, now);
    inOrder.add(new Began(request, now));
  }

  /** Forgets the requests that started at least an interval ago. */
  @GuardedBy("this")
  private void forgetBefore(long now) {
    while (!inOrder.isEmpty() && now - inOrder.peekFirst().at() >= interval) {
      Began oldest = inOrder.removeFirst();
      last.remove(oldest.request(), oldest.at());
    }
  }

  /** Returns how many requests are kept. */
  synchronized int size() {
    return last.size();
  }
}
