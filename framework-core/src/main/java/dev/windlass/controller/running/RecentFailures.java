// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.health.checks.SafeCauseText;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Stores the last error of each failing request, for diagnosis, and how long each request has been
 * failing, for the metrics. Also stores the problems that have already been reported, so that each
 * is reported only once. When a request succeeds, this class removes the data of the request. It
 * keeps the errors of only the {@value #MOST} requests that failed most recently, and the {@value
 * #MOST_REPORTED} most recent reports. This class is thread-safe.
 */
public final class RecentFailures {

  public static final int MOST = 100;
  static final int MOST_REPORTED = 1_000;

  /** The minimum time between two Events about an object with the same cause. */
  private static final Duration BETWEEN_EVENTS = Duration.ofHours(1);

  /** An error, the number of consecutive failures, and how many of the last ones were conflicts. */
  private record Entry(String error, int times, int conflicts, long at) {}

  /**
   * The uid of the object, the time of its first failure since the last success, the error that was
   * logged last, and the times of the last Events by their causes.
   */
  private record Failing(String uid, long since, int logged, Map<String, Long> events) {}

  /**
   * A problem that was reported for an object. The uid distinguishes the object from earlier
   * objects with the same key.
   */
  private record Reported(String uid, String problem) {}

  /**
   * A map from requests to their latest values. The value that was set last is at the end. If the
   * map is full, it drops the first value.
   */
  private static final class Newest<V> extends LinkedHashMap<Request, V> {
    private static final long serialVersionUID = 1L;
    private final int most;

    Newest(int most) {
      this.most = most;
    }

    /** Sets a request's value and moves it to the end of the map. */
    void append(Request request, V value) {
      remove(request);
      put(request, value);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Request, V> eldest) {
      return size() > most;
    }
  }

  /**
   * A failing request and its last error.
   *
   * @param request the failing request
   * @param error a description of the last exception
   * @param times the number of consecutive failures
   * @param ago the time since the last failure
   */
  public record Failure(Request request, String error, int times, Duration ago) {}

  private final Scheduler scheduler;

  @GuardedBy("this")
  private final Newest<Entry> entries = new Newest<>(MOST);

  @GuardedBy("this")
  private final Newest<Reported> reported = new Newest<>(MOST_REPORTED);

  @GuardedBy("this")
  private final Map<Request, Failing> failing = new HashMap<>();

  /** Whether all maps are empty. Most reconciles read this field instead of acquiring the lock. */
  private volatile boolean empty = true;

  public RecentFailures(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Records that a reconcile of the given request has failed.
   *
   * @param uid the uid of the request's object, or empty if it is unknown
   * @return the number of conflicts in a row, including this failure; 0 if this failure is not a
   *     conflict
   */
  public int failed(Request request, String uid, Throwable thrown) {
    String error = SafeCauseText.of(thrown);
    boolean conflict = ReconcileFailure.isConflict(thrown);
    synchronized (this) {
      Entry before = entries.get(request);
      int times = before == null ? 1 : before.times() + 1;
      int conflicts = !conflict ? 0 : before == null ? 1 : before.conflicts() + 1;
      long now = scheduler.nanoTime();
      entries.append(request, new Entry(error, times, conflicts, now));
      failing.putIfAbsent(request, new Failing(uid, now, 0, new HashMap<>(1)));
      empty = false;
      return conflicts;
    }
  }

  /**
   * Records that the failure of a request is about to be logged.
   *
   * @return false if the last failure that was logged since the last success was the same
   */
  synchronized boolean isNews(Request request, Throwable thrown) {
    Failing before = failing.get(request);
    int error = SafeCauseText.of(thrown).hashCode();
    if (before == null || before.logged() == error) {
      return before == null;
    }
    failing.put(request, new Failing(before.uid(), before.since(), error, before.events()));
    return true;
  }

  /**
   * Returns whether an Event about a failing request is due: the request has been failing for the
   * given time, and an hour has passed since the last Event with the same cause. If so, records
   * that the Event is about to be sent.
   */
  synchronized boolean isDue(Request request, String cause, Duration lasting) {
    Failing known = failing.get(request);
    long now = scheduler.nanoTime();
    if (known == null || now - known.since() < lasting.toNanos()) {
      return false;
    }
    Long last = known.events().get(cause);
    if (last != null && now - last < BETWEEN_EVENTS.toNanos()) {
      return false;
    }
    known.events().put(cause, now);
    return true;
  }

  /**
   * Records that a problem of a request's object has been reported.
   *
   * @return true if the problem has not been reported before; the caller must then report it
   */
  synchronized boolean isNew(Request request, String uid, String problem) {
    Reported now = new Reported(uid, problem);
    if (now.equals(reported.get(request))) {
      return false;
    }
    reported.append(request, now);
    empty = false;
    return true;
  }

  /** Removes the data of a request after a reconcile that did not fail. */
  public void recovered(Request request) {
    if (empty) {
      return;
    }
    synchronized (this) {
      entries.remove(request);
      reported.remove(request);
      failing.remove(request);
      empty = entries.isEmpty() && reported.isEmpty() && failing.isEmpty();
    }
  }

  /** Returns whether the failures of a request are those of an earlier object with its name. */
  synchronized boolean areOfAnother(Request request, String uid) {
    Failing known = failing.get(request);
    return known != null && !uid.isEmpty() && !uid.equals(known.uid());
  }

  /** Returns the number of requests whose last reconcile failed. */
  public synchronized int count() {
    return failing.size();
  }

  /** Returns how long the request that has been failing for longest has been failing. */
  public synchronized Duration longest() {
    long now = scheduler.nanoTime();
    return Duration.ofNanos(
        failing.values().stream().mapToLong(first -> now - first.since()).max().orElse(0));
  }

  /** Returns the failing requests. The request that failed most recently is first. */
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
