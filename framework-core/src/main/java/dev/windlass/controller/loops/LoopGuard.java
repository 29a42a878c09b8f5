// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loops;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reporting.ControllerLog;
import dev.windlass.controller.reporting.QueueReasons;
import dev.windlass.controller.reporting.SafeListener;
import dev.windlass.object.CachedObject;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Detects reconcile loops: a reconcile that causes its own next run, or two controllers that undo
 * each other's writes.
 *
 * <p>A request that runs often is reported once, with the place in which the object behind it keeps
 * changing, but is not slowed down: a set that creates its children one by one has good reason to
 * run often. Only a request whose runs are proven to make no progress is limited to one run per
 * {@link #PACE} from then on: the object behind it has returned to the state before the previous
 * one {@link LoopStates#PROOF} times. No change is lost, since a run looks at the current state. A
 * run that was requested by {@code requeueAfter} is never delayed.
 *
 * <p>Each run raises the level of its request by one, and each second lowers it by {@link
 * #RUNS_PER_SECOND}. When the generation of the reconciled object changes, the level drops to at
 * most {@link #SUSPECT}, because the desired state has changed. Above {@link #BURST} a request
 * counts as running often, and above {@link #SUSPECT} the objects behind its runs are compared. A
 * loop is over when no run has been delayed for {@link #CALM}.
 *
 * <p>The objects of a request are looked up only while it runs that often, so an ordinary run costs
 * one table lookup.
 *
 * <p>Memory: one entry for each request that ran in the last minute, and two states of an object
 * for at most {@link #COMPARED} of them. Thread safe; no lock is held while objects are compared.
 */
public final class LoopGuard {

  /** The level up to which a request is not reported. */
  static final int BURST = 100;

  /** The number of runs per second that may continue indefinitely, such as those of a poll. */
  static final int RUNS_PER_SECOND = 5;

  /** The level from which the states of the objects behind the runs are compared. */
  static final int SUSPECT = 20;

  /** The minimum time between two runs of a request that runs in a loop. */
  public static final Duration PACE = Duration.ofSeconds(1);

  /** The time without a delayed run after which a loop counts as over. */
  static final Duration CALM = Duration.ofSeconds(10);

  /**
   * The maximum number of requests whose objects are compared at a time; for others, only runs are
   * counted.
   */
  static final int COMPARED = 100;

  /** The longest time between removals of drained entries, if any request runs. */
  private static final Duration SWEEP_EVERY = Duration.ofMinutes(1);

  /** The number of entries that triggers an earlier removal. */
  private static final int SWEEP = 1_024;

  private static final Logger log = ControllerLog.get();

  private final String controller;
  private final boolean enabled;
  private final ObjectStates states;
  private final ControllerListener listener;
  private final Scheduler scheduler;

  @GuardedBy("this")
  private final Map<Request, LoopTrack> tracks = new HashMap<>();

  @GuardedBy("this")
  private int sweepAt = SWEEP;

  @GuardedBy("this")
  private long sweptAt;

  /** How many entries hold states, or did at the last sweep. */
  @GuardedBy("this")
  private int compared;

  /**
   * Creates a guard without runs.
   *
   * @param enabled whether runs are counted at all
   * @param states the objects behind the runs
   * @param listener notified of each loop that is found
   */
  public LoopGuard(
      String controller,
      boolean enabled,
      ObjectStates states,
      ControllerListener listener,
      Scheduler scheduler) {
    this.controller = controller;
    this.enabled = enabled;
    this.states = states;
    this.listener = listener;
    this.scheduler = scheduler;
    this.sweptAt = scheduler.nanoTime();
  }

  /**
   * Checks a request that a worker has taken.
   *
   * @param reasons why it was queued
   * @return how long it must wait; zero if it may run now, which counts as a run
   */
  public Duration hold(Request request, List<Object> reasons) {
    if (!enabled) {
      return Duration.ZERO;
    }
    boolean askedFor = reasons.contains(QueueReasons.REQUEUE_AFTER);
    synchronized (this) {
      long now = scheduler.nanoTime();
      LoopTrack track = trackOf(request, now);
      Duration hold = askedFor ? Duration.ZERO : track.hold(now);
      if (!hold.isZero()) {
        return hold;
      }
      track.drain(now);
      if (!track.isSuspect()) {
        track.run(now);
        sweepIfDue(now);
        return Duration.ZERO;
      }
    }
    runSuspect(request, reasons);
    return Duration.ZERO;
  }

  /** Records a run of a request that runs often, and compares the objects behind it. */
  private void runSuspect(Request request, List<Object> reasons) {
    CachedObject<?> primary = states.primary(request).orElse(null);
    CachedObject<?> cause = causeOf(reasons);
    LoopStates known;
    boolean compares;
    synchronized (this) {
      LoopTrack track = trackOf(request, scheduler.nanoTime());
      compares = cause != null && mayCompare(track);
      known = track.states();
    }
    if (compares && cause != null) {
      known = known.with(cause); // no other thread has this request meanwhile
    }
    LoopTrack.Finding finding;
    synchronized (this) {
      long now = scheduler.nanoTime();
      finding = trackOf(request, now).run(now, primary, known);
      sweepIfDue(now);
    }
    report(finding, request, reasons, known.story());
  }

  @GuardedBy("this")
  private LoopTrack trackOf(Request request, long now) {
    return tracks.computeIfAbsent(request, r -> new LoopTrack(now));
  }

  /**
   * Returns whether to compare objects for a request: always if it already holds states, otherwise
   * if fewer than the maximum do.
   */
  @GuardedBy("this")
  private boolean mayCompare(LoopTrack track) {
    if (!track.states().isEmpty()) {
      return true;
    }
    if (compared >= COMPARED) {
      return false;
    }
    compared++;
    return true;
  }

  /** Returns the object of the most recent reason that was an event; null if there is none. */
  private @Nullable CachedObject<?> causeOf(List<Object> reasons) {
    for (int i = reasons.size() - 1; i >= 0; i--) {
      Optional<? extends CachedObject<?>> found = states.behind(reasons.get(i));
      if (found.isPresent()) {
        return found.get();
      }
    }
    return null;
  }

  @GuardedBy("this")
  private void sweepIfDue(long now) {
    if (tracks.size() <= sweepAt && now - sweptAt < SWEEP_EVERY.toNanos()) {
      return;
    }
    tracks
        .values()
        .removeIf(
            track -> {
              track.drain(now);
              return track.isQuiet();
            });
    sweepAt = Math.max(SWEEP, 2 * tracks.size());
    sweptAt = now;
    compared = comparing();
  }

  private void report(
      LoopTrack.Finding finding, Request request, List<Object> reasons, String story) {
    if (finding == LoopTrack.Finding.OFTEN && QueueReasons.AtOnce.before(reasons) >= BURST) {
      return; // the result handler reports it with the remedy
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

  /** Returns the number of requests for which states of objects are held. */
  synchronized int comparing() {
    return (int) tracks.values().stream().filter(track -> !track.states().isEmpty()).count();
  }

  /** Returns the number of requests that are tracked. */
  synchronized int size() {
    return tracks.size();
  }
}
