// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.health.checks.SafeCauseText;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Stores the last error of each failing request until the request succeeds, for diagnosis. Only the
 * {@value #MOST} requests that failed most recently are kept. This class is thread-safe.
 */
public final class RecentFailures {

  public static final int MOST = 100;

  /** An error and the number of consecutive failures. */
  private record Entry(String error, int times, long at) {}

  /**
   * A failing request and its last error.
   *
   * @param times the number of consecutive failures
   * @param ago the time since the last failure
   */
  public record Failure(Request request, String error, int times, Duration ago) {}

  private final Scheduler scheduler;

  /** The failures by request, ordered by the time of the last failure, latest last. */
  @GuardedBy("this")
  private final Map<Request, Entry> entries = new LinkedHashMap<>();

  /** Whether the record is empty. Most reconciles read this field instead of acquiring the lock. */
  private volatile boolean empty = true;

  public RecentFailures(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Records that a reconcile of the given request has failed. */
  public void failed(Request request, Throwable thrown) {
    String error = SafeCauseText.of(thrown);
    synchronized (this) {
      Entry before = entries.remove(request);
      int times = before == null ? 1 : before.times() + 1;
      if (entries.size() >= MOST) {
        Iterator<Request> oldest = entries.keySet().iterator();
        oldest.next();
        oldest.remove();
      }
      entries.put(request, new Entry(error, times, scheduler.nanoTime()));
      empty = false;
    }
  }

  /** Removes the given request, whose last reconcile did not fail. */
  public void recovered(Request request) {
    if (empty) {
      return;
    }
    synchronized (this) {
      entries.remove(request);
      empty = entries.isEmpty();
    }
  }

  /** Returns the failing requests, most recent failure first. */
  public synchronized List<Failure> latestFirst() {
    long now = scheduler.nanoTime();
    List<Failure> all = new ArrayList<>();
    entries.forEach(
        (request, entry) ->
            all.add(
                new Failure(
                    request, entry.error(), entry.times(), Duration.ofNanos(now - entry.at()))));
    Collections.reverse(all);
    return all;
  }
}
