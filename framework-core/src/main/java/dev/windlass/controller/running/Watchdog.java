// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.logging.ControllerLog;
import dev.windlass.controller.logging.SafeLog;
import dev.windlass.controller.logging.ThreadLocation;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Tracks running reconciles, enforces time-outs and reports slow reconciles. If a reconcile is
 * still running at its time-out, the watchdog cancels it and interrupts its thread. During
 * shutdown, the watchdog can interrupt a reconcile earlier. If a reconcile is still running {@link
 * #GRACE} after its time-out, the watchdog reports it as stuck.
 *
 * <p>The watchdog sets at most one timer at a time. It does not reset the timer for each reconcile,
 * because most reconciles return long before the timer fires. This class is thread-safe.
 */
public final class Watchdog {

  /**
   * The time between the time-out of a reconcile and the point at which it counts as stuck: 10 s.
   */
  public static final Duration GRACE = Duration.ofSeconds(10);

  private static final Duration NEVER = Duration.ofNanos(Long.MAX_VALUE);

  private static final Logger log = ControllerLog.get();

  private final String controller;
  private final Duration timeout;
  private final Duration slowAfter;

  /** The run time at which the watchdog first checks a reconcile. */
  private final Duration firstLook;

  private final Scheduler scheduler;
  private final ControllerListener listener;

  /** The running reconciles, each with the run time at which it is next reported as slow. */
  private final Map<ActiveReconcile, Duration> active = new ConcurrentHashMap<>();

  @GuardedBy("this")
  private Scheduler.@Nullable Alarm alarm;

  @GuardedBy("this")
  private long alarmAt;

  @GuardedBy("this")
  private boolean closed;

  Watchdog(ControllerConfig config) {
    this.controller = config.name();
    this.timeout = config.options().reconcileTimeout;
    this.slowAfter = config.options().slowAfter;
    this.firstLook = timeout.isZero() || slowAfter.compareTo(timeout) < 0 ? slowAfter : timeout;
    this.scheduler = config.scheduler();
    this.listener = config.listener();
  }

  void began(ActiveReconcile reconcile) {
    active.put(reconcile, slowAfter);
    lookWithin(firstLook);
  }

  void ended(ActiveReconcile reconcile) {
    active.remove(reconcile);
  }

  public List<ActiveReconcile> active() {
    return List.copyOf(active.keySet());
  }

  /**
   * Schedules an interrupt of the given reconciles if they are still running after the given time,
   * because their term ends. Time-outs that expire earlier still apply.
   *
   * @return those that are running
   */
  List<ActiveReconcile> interruptWithin(Duration patience, List<ActiveReconcile> which) {
    long at = scheduler.nanoTime() + Scheduler.saturatedNanos(patience);
    List<ActiveReconcile> running = which.stream().filter(each -> each.stopAt(at)).toList();
    if (!running.isEmpty()) {
      lookWithin(patience);
    }
    return running;
  }

  private synchronized void lookWithin(Duration delay) {
    if (closed) {
      return;
    }
    long now = scheduler.nanoTime();
    long due = now + Scheduler.saturatedNanos(delay);
    if (alarm != null && alarmAt - due <= 0) {
      return;
    }
    if (alarm != null) {
      alarm.cancel();
    }
    alarm = null; // in case setting the next one fails
    alarm = scheduler.schedule(this::look, delay);
    alarmAt = due;
  }

  private void look() {
    synchronized (this) {
      alarm = null;
    }
    for (ActiveReconcile reconcile : active.keySet()) {
      Duration next = GRACE;
      try {
        next = look(reconcile);
      } catch (Throwable t) { // listener or thread creation failed; check the others
        FatalErrors.rethrow(t);
        SafeLog.error("Failed to check {}; retrying", reconcile, t);
      }
      lookWithin(next);
    }
  }

  /**
   * Performs the actions that are due for a reconcile.
   *
   * @return the time until the next action
   */
  private Duration look(ActiveReconcile reconcile) {
    Duration elapsed = reconcile.elapsed();
    Duration next = sooner(lookForSlowness(reconcile, elapsed), lookForStop(reconcile, elapsed));
    if (timeout.isZero() || reconcile.stuck()) {
      return next;
    }
    Duration limit = timeout;
    if (elapsed.compareTo(timeout) >= 0) {
      if (!reconcile.wasInterrupted()) {
        expire(reconcile, elapsed);
      }
      limit = timeout.plus(GRACE);
      if (elapsed.compareTo(limit) >= 0) {
        giveUpOn(reconcile, elapsed);
        return next;
      }
    }
    return sooner(limit.minus(elapsed), next);
  }

  private static Duration sooner(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /**
   * Interrupts the reconcile if the time set by {@link #interruptWithin} has come.
   *
   * @return the time until the interrupt, or {@link #NEVER} if no interrupt is pending
   */
  private Duration lookForStop(ActiveReconcile reconcile, Duration elapsed) {
    Long at = reconcile.stopsAt();
    if (at == null || reconcile.wasInterrupted()) {
      return NEVER;
    }
    Duration left = Duration.ofNanos(at - scheduler.nanoTime());
    if (!left.isZero() && !left.isNegative()) {
      return left;
    }
    interruptForStop(reconcile, elapsed);
    return NEVER;
  }

  private void interruptForStop(ActiveReconcile reconcile, Duration elapsed) {
    if (reconcile.interrupt()) {
      log.warn(
          "{}: Interrupted {} after {} s because of the stop",
          controller,
          reconcile,
          elapsed.toSeconds());
    }
  }

  /**
   * Immediately interrupts those of the given reconciles that still run and have not been
   * interrupted yet, except a reconcile on the calling thread. The controller calls this method
   * after it has waited for reconciles to return.
   */
  void interrupt(List<ActiveReconcile> which) {
    which.stream()
        .filter(reconcile -> reconcile.thread() != Thread.currentThread()) // the stopping thread
        .forEach(reconcile -> interruptForStop(reconcile, reconcile.elapsed()));
  }

  private void expire(ActiveReconcile reconcile, Duration elapsed) {
    log.warn(
        "{}: {} has run for {} s; cancelling it and interrupting its thread",
        controller,
        reconcile,
        elapsed.toSeconds());
    reconcile.expire();
    if (reconcile.timedOut()) {
      SafeLog.safely(listener, l -> l.timedOut(reconcile.request()));
    }
  }

  private void giveUpOn(ActiveReconcile reconcile, Duration elapsed) {
    reconcile.markStuck();
    log.error(
        "{}: {} has run for {} s and ignores its interrupt; until it returns, its object is not"
            + " reconciled, and its worker is blocked",
        controller,
        reconcile,
        elapsed.toSeconds(),
        new ThreadLocation(reconcile.thread()));
    SafeLog.safely(listener, l -> l.stuck(reconcile.request(), elapsed));
  }

  private Duration lookForSlowness(ActiveReconcile reconcile, Duration elapsed) {
    Duration slowAt = active.getOrDefault(reconcile, slowAfter);
    if (elapsed.compareTo(slowAt) >= 0) {
      log.warn(
          "{}: {} has been running for {} s",
          controller,
          reconcile,
          elapsed.toSeconds(),
          new ThreadLocation(reconcile.thread()));
      slowAt = elapsed.multipliedBy(2);
      active.replace(reconcile, slowAt); // unless it has returned
    }
    return slowAt.minus(elapsed);
  }

  /** Stops tracking and cancels the timer. */
  public synchronized void close() {
    closed = true;
    if (alarm != null) {
      alarm.cancel();
      alarm = null;
    }
  }
}
