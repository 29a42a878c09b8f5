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
 * Runs a {@link Step} on a thread: calls it, rests for the pause that it returns, and calls it
 * again until the loop is stopped.
 *
 * <p>No exception from a step ends the loop, not even an {@link Error}. The loop logs it, keeps it
 * as {@link #lastFailure()}, and calls the step again after {@link #AFTER_FAILURE}. If the
 * scheduler fails to set an alarm, the loop logs that and pauses equally long; only this pause uses
 * real time. Each round records a heartbeat, so that health checks can distinguish a resting loop
 * from a stuck one.
 *
 * <p>All methods may be called from any thread. A loop runs once and can't be restarted. When it
 * ends, it releases its step and everything that the step holds.
 */
public final class Loop {

  /** The pause after a step that threw: 1 s, as in client-go's {@code wait.Until} loops. */
  public static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private static final long NANOS_AFTER_FAILURE = AFTER_FAILURE.toNanos();

  /**
   * Allocated in advance, because after an {@link OutOfMemoryError} there may be no memory for it.
   */
  private static final Pause REST = Pause.of(AFTER_FAILURE);

  /** The pause as text for logs; formatted in advance, for the same reason. */
  private static final String DELAY = DurationText.of(AFTER_FAILURE);

  private static final Logger log = LoggerFactory.getLogger(Loop.class);

  private final String name;

  /**
   * Replaced by a no-op when the thread ends, as is {@link #onEnd}. Written only by the loop's
   * thread.
   */
  private Step step;

  private Runnable onEnd;
  private final Scheduler scheduler;
  private final Thread thread;

  /** The alarm that was set last, and its time. It may have fired already. */
  private Scheduler.@Nullable Alarm alarm;

  private long alarmAt;

  private volatile boolean woken;
  private volatile boolean stopping;
  private volatile long lastRound;
  private volatile boolean resting;
  private volatile @Nullable Throwable lastFailure;

  /**
   * Creates a loop without starting it.
   *
   * @param name the name of the thread, and of the loop in logs and in health
   * @param step the step to call
   * @param scheduler measures the pauses
   * @param threads creates the only thread; the loop sets its name and marks platform threads as
   *     daemons
   */
  public Loop(String name, Step step, Scheduler scheduler, ThreadFactory threads) {
    this(name, step, scheduler, threads, () -> {});
  }

  /**
   * Creates a loop with an action to run at its end, without starting it.
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
          "the thread factory " + threads + " returned no thread for " + name);
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

  /** Ends the current rest, or skips the next one, so that the step is called again soon. */
  public void wake() {
    if (!woken) { // otherwise it was woken already, and the next step has not begun
      woken = true;
      LockSupport.unpark(thread);
    }
  }

  /** Asks the loop to end after the current round. Returns immediately. */
  public void stop() {
    stopping = true;
    LockSupport.unpark(thread);
  }

  /** Stops the loop as {@link #stop} does, and interrupts the current round. */
  public void interrupt() {
    stop();
    thread.interrupt();
  }

  /**
   * Waits for the thread to end.
   *
   * @return whether it ended in time; a thread that was never started counts as ended
   * @throws InterruptedException if the caller was interrupted while waiting
   */
  public boolean join(Duration limit) throws InterruptedException {
    if (thread.getState() == Thread.State.NEW || Thread.currentThread() == thread) {
      return true;
    }
    thread.join(Math.max(1, limit.toMillis()));
    return !thread.isAlive();
  }

  /** Returns the name of the loop and its thread. */
  public String name() {
    return name;
  }

  /** Returns whether the thread was started and has not ended. */
  public boolean isRunning() {
    return thread.isAlive();
  }

  /** Returns how long the current round has taken so far; zero while the loop rests. */
  public Duration busyFor() {
    return resting ? Duration.ZERO : Duration.ofNanos(scheduler.nanoTime() - lastRound);
  }

  /** Returns the exception that the last round threw; empty if it succeeded. */
  public Optional<Throwable> lastFailure() {
    return Optional.ofNullable(lastFailure);
  }

  private void runRounds(Step current) {
    while (!stopping) {
      try {
        woken = false; // before the step, so that a wake-up during the step is not lost
        lastRound = scheduler.nanoTime();
        resting = false;
        Pause pause = runStep(current);
        resting = true;
        rest(pause);
      } catch (Throwable t) {
        // The alarm could not be set, for lack of a thread or memory. The loop must survive that.
        report("{} failed to pause; continuing in {}", t);
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
        report("{} failed; continuing in {}", t);
      }
      return REST;
    }
  }

  /** Logs a failure. If logging itself fails, as when memory is exhausted, the loop continues. */
  private void report(String sentence, Throwable failure) {
    try {
      log.error(sentence, name, DELAY, failure);
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
        // Only a stop is expected to interrupt a loop, and only the flag decides whether it stops.
        break;
      }
    }
  }

  /**
   * Ensures that an alarm wakes the loop in time. Keeps an existing alarm that fires earlier,
   * because steps tolerate early calls; otherwise a busy loop would set and cancel an alarm in
   * every round.
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
    alarm = null; // in case setting the next one fails
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
