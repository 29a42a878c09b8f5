// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reporting;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.health.Causes;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last error of each request that fails, until it does not any more; of the {@value #MOST} that
 * failed last. For people only. Thread safe.
 */
public final class RecentFailures {

  public static final int MOST = 100;

  /** An error, and how often in a row there was one. */
  private record Entry(String error, int times, long at) {}

  /** What is known of a request that fails. */
  public record Failure(Request request, String error, int times, Duration ago) {}

  private final Scheduler scheduler;

  /** The one that failed last stands last. */
  @GuardedBy("this")
  private final Map<Request, Entry> entries = new LinkedHashMap<>();

  /** Spares most reconciles the lock. */
  private volatile boolean empty = true;

  public RecentFailures(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** It has failed. */
  public void failed(Request request, Throwable thrown) {
    String error = Causes.of(thrown);
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

  /** It has not failed. */
  public void recovered(Request request) {
    if (empty) {
      return;
    }
    synchronized (this) {
      entries.remove(request);
      empty = entries.isEmpty();
    }
  }

  /** Those that fail, the latest first. */
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
