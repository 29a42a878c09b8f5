// SPDX-License-Identifier: Apache-2.0
package dev.windlass.time;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thin thread around a {@link Step}: calls it, rests as long as it asks, and calls it again
 * until it is stopped.
 *
 * <p>Nothing that a step throws ends the loop, {@link Error}s included: it is logged, kept as
 * {@link #lastFailure()}, and the step is called again after {@link #AFTER_FAILURE}. So it is when
 * the scheduler can't set an alarm; that pause alone is real time, for want of another. Each round
 * leaves a heartbeat behind, so that health can tell a resting loop from a stuck one.
 *
 * <p>All methods may be called from any thread. A loop runs once; it can't be started again. One
 * that has ended lets go of its step, with all that the step holds.
 */
public final class Loop {

  /**
   * The rest after a step that threw: 1 s, as in the {@code wait.Until} loops of client-go (001-53,
   * 002-20, 002-40).
   */
  public static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private static final long NANOS_AFTER_FAILURE = AFTER_FAILURE.toNanos();

  /** Made beforehand: after a failure for want of memory there may be none to make it. */
  private static final Pause REST = Pause.of(AFTER_FAILURE);

  private static final Logger log = LoggerFactory.getLogger(Loop.class);

  private final String name;

  /** Until the thread ends; as is {@link #onEnd}. Written by the loop's thread only. */
  private Step step;

  private Runnable onEnd;
  private final Scheduler scheduler;
  private final Thread thread;

  /** The alarm that was set last, which may have rung; and when that is. */
  private Scheduler.@Nullable Alarm alarm;

  private long alarmAt;

  private volatile boolean woken;
  private volatile boolean stopping;
  private volatile long lastRound;
  private volatile boolean resting;
  private volatile @Nullable Throwable lastFailure;

  /**
   * A loop that has not been started.
   *
   * @param name of the thread, and of the loop in logs and in health
   * @param step what to call
   * @param scheduler measures the rests
   * @param threads makes the one thread; the loop sets its name and marks platform threads as
   *     daemons
   */
  public Loop(String name, Step step, Scheduler scheduler, ThreadFactory threads) {
    this(name, step, scheduler, threads, () -> {});
  }

  /**
   * The same, with something to do at the end.
   *
   * @param onEnd called once, on the loop's thread, after the last round
   */
  public Loop(String name, Step step, Scheduler scheduler, ThreadFactory threads, Runnable onEnd) {
    this.onEnd = onEnd;
    this.name = name;
    this.step = step;
    this.scheduler = scheduler;
    this.thread = threads.newThread(this::runUntilStopped);
    if (thread == null) {
      throw new IllegalArgumentException(
          "the thread factory " + threads + " gave no thread for " + name);
    }
    thread.setName(name);
    if (!thread.isDaemon()) {
      thread.setDaemon(true);
    }
    lastRound = scheduler.nanoTime();
  }

  /** Starts the thread. */
  public void start() {
    lastRound = scheduler.nanoTime();
    thread.start();
  }

  /** Ends the current rest, or makes the next one empty: the step is called once more soon. */
  public void wake() {
    if (!woken) { // else somebody else has woken it, and the step to come has yet to begin
      woken = true;
      LockSupport.unpark(thread);
    }
  }

  /** Asks the loop to end after the round that is running. Returns at once. */
  public void stop() {
    stopping = true;
    LockSupport.unpark(thread);
  }

  /** As {@link #stop}, and interrupts the round that is running. */
  public void interrupt() {
    stop();
    thread.interrupt();
  }

  /**
   * Waits for the thread to end.
   *
   * @return whether it ended in time; a thread that never started counts as ended
   * @throws InterruptedException if the caller was interrupted while it waited
   */
  public boolean join(Duration limit) throws InterruptedException {
    if (thread.getState() == Thread.State.NEW || Thread.currentThread() == thread) {
      return true;
    }
    thread.join(Math.max(1, limit.toMillis()));
    return !thread.isAlive();
  }

  /** The name that the thread carries. */
  public String name() {
    return name;
  }

  /** Whether the thread was started and has not ended. */
  public boolean isRunning() {
    return thread.isAlive();
  }

  /** How long the round that is running has taken so far; zero while the loop rests. */
  public Duration busyFor() {
    return resting ? Duration.ZERO : Duration.ofNanos(scheduler.nanoTime() - lastRound);
  }

  /** What the last round threw; empty after a round that ended well. */
  public Optional<Throwable> lastFailure() {
    return Optional.ofNullable(lastFailure);
  }

  private void runRounds(Step current) {
    while (!stopping) {
      try {
        woken = false; // before the step: what arrives during it must not be slept over
        lastRound = scheduler.nanoTime();
        resting = false;
        Pause pause = runStep(current);
        resting = true;
        rest(pause);
      } catch (Throwable t) {
        // No alarm, for want of a thread or of memory. The loop must outlast that.
        report("{} can't rest; it goes on in {}", AFTER_FAILURE, t);
        LockSupport.parkNanos(this, NANOS_AFTER_FAILURE);
      }
    }
  }

  private void runUntilStopped() {
    Runnable last = onEnd;
    try {
      runRounds(step);
    } finally {
      step = () -> Pause.UNTIL_WOKEN;
      onEnd = () -> {};
      cancelAlarm();
      last.run();
    }
  }

  private Pause runStep(Step current) {
    try {
      Pause pause = current.run();
      lastFailure = null;
      return pause;
    } catch (Throwable t) {
      if (!stopping) {
        lastFailure = t;
        report("{} failed; it goes on in {}", AFTER_FAILURE, t);
      }
      return REST;
    }
  }

  /** If even that fails, as for want of memory, the loop goes on without. */
  private void report(String sentence, Object detail, Throwable failure) {
    try {
      log.error(sentence, name, detail, failure);
    } catch (Throwable t) {
      lastFailure = t;
    }
  }

  private void rest(Pause pause) {
    Optional<Duration> limit = pause.limit();
    if (limit.isPresent() && limit.get().isZero()) {
      return;
    }
    limit.ifPresent(this::setAlarm);
    while (!woken && !stopping) {
      LockSupport.park(this);
      if (Thread.interrupted()) {
        // Nobody but a stop has a reason to interrupt a loop; the flag alone decides that.
        break;
      }
    }
  }

  /**
   * Sees to it that an alarm wakes the loop in time. One that is set already and comes earlier is
   * as good, as steps bear being called too early: a busy loop would set and cancel one per round.
   */
  private void setAlarm(Duration limit) {
    long now = scheduler.nanoTime();
    long due = now + Scheduler.saturatedNanos(limit);
    Scheduler.Alarm set = alarm;
    if (set != null && alarmAt - now > 0 && alarmAt - due <= 0) {
      return;
    }
    if (set != null) {
      set.cancel();
    }
    alarm = null; // should setting the next one fail
    alarm = scheduler.schedule(this::wake, limit);
    alarmAt = due;
  }

  private void cancelAlarm() {
    Scheduler.Alarm set = alarm;
    if (set != null) {
      set.cancel();
    }
  }
}
