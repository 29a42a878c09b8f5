// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loopdetection;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.logging.ControllerLog;
import dev.windlass.controller.logging.SafeListener;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.object.CachedObject;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Detects reconcile loops, in which a reconcile causes its own next run, or two controllers undo
 * each other's writes.
 *
 * <p>If a request runs often, the detector logs one warning. The warning names the field that keeps
 * changing in the object that causes the runs. Frequent runs alone do not delay a request, because
 * they can be legitimate. For example, a controller may create the children of a set one by one.
 * The detector limits a request to one run per {@link #PACE} only if there is proof that the runs
 * do not make progress: the object that causes the runs alternates between two states, and has done
 * so {@link StateFlips#PROOF} times. The delay loses no changes, because each run reads the current
 * version of the object. The detector never delays a run that was requested by {@code requeueAfter}
 * with a delay greater than zero.
 *
 * <p>Each run raises the level of its request by one, and each second lowers the level by {@link
 * #RUNS_PER_SECOND}. When the generation of the reconciled object changes, the desired state has
 * changed, and the level drops to at most {@link #SUSPECT}. Above {@link #BURST}, a request runs
 * often. Above {@link #SUSPECT}, the detector compares the states of the objects that cause the
 * request's runs. A loop has ended when no run has been delayed for {@link #CALM}.
 *
 * <p>The detector looks up objects only for requests whose level is above {@link #SUSPECT}. For all
 * other runs, it performs only one table lookup.
 *
 * <p>The detector stores one entry for each request that ran in the last minute. For at most {@link
 * #COMPARED} of these requests, it also stores two states of an object. This class is thread-safe.
 * The detector does not hold a lock while it compares objects.
 */
public final class LoopDetector {

  /** The level above which a request counts as running often. */
  static final int BURST = 100;

  /**
   * The number of runs per second that a request can sustain indefinitely, for example by polling.
   */
  static final int RUNS_PER_SECOND = 5;

  /** The level above which the detector compares the states of the objects that cause the runs. */
  static final int SUSPECT = 20;

  /** The minimum time between two consecutive runs of a request in a loop: 1 s. */
  public static final Duration PACE = Duration.ofSeconds(1);

  /** The time that must pass without a delayed run before a loop has ended: 10 s. */
  static final Duration CALM = Duration.ofSeconds(10);

  /**
   * The maximum number of requests for which the detector stores states for comparison. For other
   * requests, the detector only counts runs.
   */
  static final int COMPARED = 100;

  /**
   * The maximum time between two removals of {@linkplain ReconcileHistory#isQuiet quiet} entries
   * while requests run: 1 min.
   */
  private static final Duration SWEEP_EVERY = Duration.ofMinutes(1);

  /**
   * The minimum number of entries at which the detector removes quiet entries before {@link
   * #SWEEP_EVERY} has passed.
   */
  private static final int SWEEP = 1_024;

  private static final Logger log = ControllerLog.get();

  private final String controller;
  private final boolean enabled;
  private final ObjectLookup lookup;
  private final ControllerListener listener;
  private final Scheduler scheduler;

  @GuardedBy("this")
  private final Map<Request, ReconcileHistory> histories = new HashMap<>();

  @GuardedBy("this")
  private int sweepAt = SWEEP;

  @GuardedBy("this")
  private long sweptAt;

  /**
   * An upper bound for the number of entries that contain states. Each removal of quiet entries
   * sets it to the exact number.
   */
  @GuardedBy("this")
  private int compared;

  /**
   * Creates a detector that has not recorded any runs yet.
   *
   * @param enabled whether detection is enabled; if not, the detector does not count runs
   * @param lookup provides the objects that cause the runs
   * @param listener the listener that the detector notifies of each detected loop
   */
  public LoopDetector(
      String controller,
      boolean enabled,
      ObjectLookup lookup,
      ControllerListener listener,
      Scheduler scheduler) {
    this.controller = controller;
    this.enabled = enabled;
    this.lookup = lookup;
    this.listener = listener;
    this.scheduler = scheduler;
    this.sweptAt = scheduler.nanoTime();
  }

  /**
   * Determines whether a request that a worker has taken from the queue may run now. If so, the
   * detector counts the run.
   *
   * @param reasons the reasons why the request was queued
   * @return the time that the request must wait, or zero if it may run now
   */
  public Duration hold(Request request, List<Object> reasons) {
    if (!enabled) {
      return Duration.ZERO;
    }
    boolean askedFor = reasons.contains(QueueReasons.REQUEUE_AFTER);
    synchronized (this) {
      long now = scheduler.nanoTime();
      ReconcileHistory history = historyOf(request, now);
      Duration hold = askedFor ? Duration.ZERO : history.hold(now);
      if (!hold.isZero()) {
        return hold;
      }
      history.drain(now);
      if (!history.isSuspect()) {
        history.run(now);
        sweepIfDue(now);
        return Duration.ZERO;
      }
    }
    runSuspect(request, reasons);
    return Duration.ZERO;
  }

  /**
   * Records a run of a {@linkplain ReconcileHistory#isSuspect suspect} request. Compares the object
   * that caused the run with its stored states.
   */
  private void runSuspect(Request request, List<Object> reasons) {
    CachedObject<?> primary = lookup.primary(request).orElse(null);
    CachedObject<?> cause = causeOf(reasons);
    StateFlips known;
    boolean compares;
    synchronized (this) {
      ReconcileHistory history = historyOf(request, scheduler.nanoTime());
      compares = cause != null && mayCompare(history);
      known = history.states();
    }
    if (compares && cause != null) {
      known = known.with(cause); // no other thread processes this request
    }
    ReconcileHistory.Finding finding;
    synchronized (this) {
      long now = scheduler.nanoTime();
      finding = historyOf(request, now).run(now, primary, known);
      sweepIfDue(now);
    }
    report(finding, request, reasons, known.story());
  }

  @GuardedBy("this")
  private ReconcileHistory historyOf(Request request, long now) {
    return histories.computeIfAbsent(request, r -> new ReconcileHistory(now));
  }

  /**
   * Returns whether to compare the objects that cause a request's runs. The result is true if
   * states are already stored for the request, or for fewer than {@link #COMPARED} requests in
   * total.
   */
  @GuardedBy("this")
  private boolean mayCompare(ReconcileHistory history) {
    if (!history.states().isEmpty()) {
      return true;
    }
    if (compared >= COMPARED) {
      return false;
    }
    compared++;
    return true;
  }

  /** Returns the object of the most recent event among the reasons, or null if there is none. */
  private @Nullable CachedObject<?> causeOf(List<Object> reasons) {
    for (int i = reasons.size() - 1; i >= 0; i--) {
      Optional<? extends CachedObject<?>> found = lookup.behind(reasons.get(i));
      if (found.isPresent()) {
        return found.get();
      }
    }
    return null;
  }

  @GuardedBy("this")
  private void sweepIfDue(long now) {
    if (histories.size() <= sweepAt && now - sweptAt < SWEEP_EVERY.toNanos()) {
      return;
    }
    histories
        .values()
        .removeIf(
            history -> {
              history.drain(now);
              return history.isQuiet();
            });
    sweepAt = Math.max(SWEEP, 2 * histories.size());
    sweptAt = now;
    compared = comparing();
  }

  private void report(
      ReconcileHistory.Finding finding, Request request, List<Object> reasons, String story) {
    if (finding == ReconcileHistory.Finding.OFTEN && QueueReasons.AtOnce.before(reasons) >= BURST) {
      return; // the result handler reports this case together with the remedy
    }
    switch (finding) {
      case OFTEN ->
          log.warn(
              "{}: '{}' has been reconciled more than {} times in a short time. The last reasons:"
                  + " {}{}",
              controller,
              request,
              BURST,
              reasons,
              story);
      case LOOP -> {
        log.warn(
            "{}: '{}' is being reconciled in a loop; limiting it to one run per second. The last"
                + " reasons: {}{}",
            controller,
            request,
            reasons,
            story);
        SafeListener.safely(listener, each -> each.looping(request));
      }
      case NONE -> {}
    }
  }

  /** Returns the number of requests for which states of objects are stored. */
  synchronized int comparing() {
    return (int) histories.values().stream().filter(history -> !history.states().isEmpty()).count();
  }

  /** Returns the number of tracked requests. */
  synchronized int size() {
    return histories.size();
  }
}
