// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Enforces a minimum time between the starts of two consecutive runs of a request. A request must
 * wait if its last run started less than one interval ago. Otherwise, it can run immediately. This
 * class stores one entry for each request with a run that started within the last interval. This
 * class is thread-safe.
 */
final class MinimumInterval {

  private record Began(Request request, long at) {}

  private final long interval;
  private final Scheduler scheduler;

  /** The start time of each request's last run, as a value of {@link Scheduler#nanoTime}. */
  @GuardedBy("this")
  private final Map<Request, Long> last = new HashMap<>();

  /** The starts of the runs, oldest first. */
  @GuardedBy("this")
  private final Deque<Began> inOrder = new ArrayDeque<>();

  MinimumInterval(Duration interval, Scheduler scheduler) {
    this.interval = Scheduler.saturatedNanos(interval);
    this.scheduler = scheduler;
  }

  /** Returns the time that a request must wait, or zero if it may run now. */
  synchronized Duration hold(Request request) {
    long now = scheduler.nanoTime();
    forgetBefore(now);
    Long began = last.get(request);
    return began == null ? Duration.ZERO : Duration.ofNanos(interval - (now - began));
  }

  /** Records that a run of the given request starts now. */
  synchronized void begin(Request request) {
    long now = scheduler.nanoTime();
    last.put(request, now);
    inOrder.add(new Began(request, now));
  }

  /** Removes the requests whose last run started at least one interval ago. */
  @GuardedBy("this")
  private void forgetBefore(long now) {
    while (!inOrder.isEmpty() && now - inOrder.peekFirst().at() >= interval) {
      Began oldest = inOrder.removeFirst();
      last.remove(oldest.request(), oldest.at());
    }
  }

  /** Returns the number of stored requests. */
  synchronized int size() {
    return last.size();
  }
}
