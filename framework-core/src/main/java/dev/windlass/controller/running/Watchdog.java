// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reporting.ControllerLog;
import dev.windlass.controller.reporting.SafeListener;
import dev.windlass.controller.reporting.SafeLog;
import dev.windlass.controller.reporting.ThreadLocation;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Tracks running reconciles and looks after those that take long: cancels and interrupts them at
 * their time-out, or earlier if a stop can't wait for that; reports those that go on for {@link
 * #GRACE} all the same, and names the slow ones.
 *
 * <p>One alarm is set at most. It is kept from one reconcile to the next, since most of them are
 * over long before it would ring. All methods may be called from any thread.
 */
public final class Watchdog {

  /** How long a reconcile may take to react to the interrupt before it counts as stuck. */
  public static final Duration GRACE = Duration.ofSeconds(10);

  private static final Duration NEVER = Duration.ofNanos(Long.MAX_VALUE);

  private static final Logger log = ControllerLog.get();

  private final String controller;
  private final Duration timeout;
  private final Duration slowAfter;
  private final Scheduler scheduler;
  private final ControllerListener listener;
  private final Consumer<ActiveReconcile> onStuck;

  private final Set<ActiveReconcile> active = ConcurrentHashMap.newKeySet();

  @GuardedBy("this")
  private Scheduler.@Nullable Alarm alarm;

  @GuardedBy("this")
  private long alarmAt;

  @GuardedBy("this")
  private boolean closed;

  /** When a stop interrupts what still runs; null while there is no stop. */
  private volatile @Nullable Long stopsAt;

  /**
   * Watches over nothing yet.
   *
   * @param onStuck hears once of each reconcile that does not react
   */
  Watchdog(ControllerConfig config, Consumer<ActiveReconcile> onStuck) {
    this.controller = config.name();
    this.timeout = config.options().reconcileTimeout();
    this.slowAfter = config.options().slowAfter();
    this.scheduler = config.scheduler();
    this.listener = config.listener();
    this.onStuck = onStuck;
  }

  /** A reconcile begins. */
  void began(ActiveReconcile reconcile) {
    active.add(reconcile);
    lookWithin(firstLook());
  }

  private Duration firstLook() {
    return timeout.isZero() || slowAfter.compareTo(timeout) < 0 ? slowAfter : timeout;
  }

  /** It has returned. */
  void ended(ActiveReconcile reconcile) {
    active.remove(reconcile);
  }

  /** Those that run; a snapshot. */
  public List<ActiveReconcile> active() {
    return List.copyOf(active);
  }

  /**
   * A stop has begun, which interrupts what still runs after so long. Time-outs that are over
   * earlier hold as before.
   */
  public void interruptWithin(Duration patience) {
    long at = scheduler.nanoTime() + Scheduler.saturatedNanos(patience);
    Long earlier = stopsAt;
    if (earlier == null || at - earlier < 0) {
      stopsAt = at;
    }
    if (!active.isEmpty()) {
      lookWithin(patience);
    }
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
    alarm = null; // should setting the next one fail
    alarm = scheduler.schedule(this::look, delay);
    alarmAt = due;
  }

  private void look() {
    synchronized (this) {
      alarm = null;
    }
    for (ActiveReconcile reconcile : active) {
      Duration next = GRACE;
      try {
        next = look(reconcile);
      } catch (Throwable t) { // a listener, or no thread: the others must be looked after, too
        SafeLog.error("A look after {} failed, and is tried again", reconcile, t);
      }
      lookWithin(next);
    }
  }

  /** Does what is due, and says when something else will be. */
  private Duration look(ActiveReconcile reconcile) {
    Duration elapsed = reconcile.elapsed();
    Duration next = sooner(lookForSlowness(reconcile, elapsed), lookForStop(reconcile, elapsed));
    if (timeout.isZero() || reconcile.isLeftAlone()) {
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

  /** Interrupts it if a stop can't wait for it any longer. Returns when it can't. */
  private Duration lookForStop(ActiveReconcile reconcile, Duration elapsed) {
    Long at = stopsAt;
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
          "{}: the stop interrupts {}, which has run for {} s",
          controller,
          reconcile,
          elapsed.toSeconds());
    }
  }

  /** A stop can't wait any longer: interrupts all that still run and have not been interrupted. */
  public void interruptAll() {
    active.stream()
        .filter(reconcile -> reconcile.thread() != Thread.currentThread()) // it stops itself
        .forEach(reconcile -> interruptForStop(reconcile, reconcile.elapsed()));
  }

  private void expire(ActiveReconcile reconcile, Duration elapsed) {
    log.warn(
        "{}: {} has run for {} s, is cancelled, and its thread interrupted",
        controller,
        reconcile,
        elapsed.toSeconds());
    reconcile.expire();
    if (reconcile.timedOut()) {
      SafeListener.safely(listener, l -> l.timedOut(reconcile.request()));
    }
  }

  private void giveUpOn(ActiveReconcile reconcile, Duration elapsed) {
    if (!reconcile.stuck()) {
      reconcile.markStuck();
      log.error(
          "{}: {} has run for {} s and does not react to its interrupt. Its object waits until it"
              + " returns",
          controller,
          reconcile,
          elapsed.toSeconds(),
          new ThreadLocation(reconcile.thread()));
      SafeListener.safely(listener, l -> l.stuck(reconcile.request(), elapsed));
    }
    onStuck.accept(reconcile); // if this throws, the next look tries again
    reconcile.leaveAlone();
  }

  private Duration lookForSlowness(ActiveReconcile reconcile, Duration elapsed) {
    if (elapsed.compareTo(reconcile.slowAt()) >= 0) {
      log.warn(
          "{}: {} has been running for {} s",
          controller,
          reconcile,
          elapsed.toSeconds(),
          new ThreadLocation(reconcile.thread()));
      reconcile.slowAt(elapsed.multipliedBy(2));
    }
    return reconcile.slowAt().minus(elapsed);
  }

  /** Nothing is watched any more, and no alarm is left. */
  public synchronized void close() {
    closed = true;
    if (alarm != null) {
      alarm.cancel();
      alarm = null;
    }
  }
}
