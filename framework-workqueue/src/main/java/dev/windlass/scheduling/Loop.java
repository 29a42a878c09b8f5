// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link LoopStep} on a thread: calls the step, waits for the delay that the step returns,
 * and repeats this until the loop is stopped.
 *
 * <p>An exception from a step does not stop the loop, even if it is an {@link Error}. The loop logs
 * the exception, stores it as {@link #lastFailure()}, and calls the step again after {@link
 * #AFTER_FAILURE}. If the scheduler fails to set a timer, the loop logs the failure and sleeps for
 * that duration, its only delay in real time. Each round, that is, each call of the step, records a
 * heartbeat, so that health checks can distinguish a waiting loop from a stuck loop.
 *
 * <p>All methods can be called from any thread. A loop runs once and cannot be restarted. When the
 * loop stops, it releases its step and all objects to which the step refers.
 */
public final class Loop {

  /**
   * The delay after a step that threw an exception: 1 s, as in client-go's {@code wait.Until}
   * loops.
   */
  public static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private static final long NANOS_AFTER_FAILURE = AFTER_FAILURE.toNanos();

  /**
   * The delay after a failure. It is allocated in advance because memory may be exhausted after an
   * {@link OutOfMemoryError}.
   */
  private static final StepDelay REST = StepDelay.of(AFTER_FAILURE);

  /**
   * The delay after a failure, formatted for log lines. It is formatted in advance for the same
   * reason that {@link #REST} is allocated in advance.
   */
  private static final String DELAY = DurationText.of(AFTER_FAILURE);

  private static final Logger log = LoggerFactory.getLogger(Loop.class);

  private final String name;

  /**
   * The step to call. When the thread ends, the step and {@link #onEnd} are replaced by actions
   * that do nothing. Only the loop's thread writes this field.
   */
  private LoopStep step;

  private Runnable onEnd;
  private final Scheduler scheduler;
  private final Thread thread;

  /** The most recent timer, which is set for {@link #alarmAt} and may already have fired. */
  private Scheduler.@Nullable Alarm alarm;

  private long alarmAt;

  /** Whether the next round is due. The first round is due from the beginning. */
  private volatile boolean woken = true;

  private volatile boolean stopping;
  private volatile long lastRound;
  private volatile boolean resting;
  private volatile @Nullable Throwable lastFailure;

  /**
   * Creates a loop without starting it.
   *
   * @param name the thread's name, which also identifies the loop in logs and health reports
   * @param step the step to call
   * @param scheduler the scheduler that measures the delays
   * @param threads the factory that creates the only thread. The loop sets the thread's name and
   *     marks platform threads as daemons
   */
  public Loop(String name, LoopStep step, Scheduler scheduler, ThreadFactory threads) {
    this(name, step, scheduler, threads, () -> {});
  }

  /**
   * Creates a loop with an action to run when the loop ends, without starting the loop.
   *
   * @param onEnd the action, which the loop's thread runs once, after the last round
   */
  public Loop(
      String name, LoopStep step, Scheduler scheduler, ThreadFactory threads, Runnable onEnd) {
    this.onEnd = onEnd;
    this.name = name;
    this.step = step;
    this.scheduler = scheduler;
    this.thread = threads.newThread(new Rounds());
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

  /** Starts the thread that runs the loop. */
  public void start() {
    lastRound = scheduler.nanoTime();
    thread.start();
  }

  /**
   * Ends the current delay or, if the step is running, skips the next delay, so that the loop calls
   * the step again immediately.
   */
  public void wake() {
    if (!woken) { // otherwise an earlier wake-up is still pending
      woken = true;
      LockSupport.unpark(thread);
    }
  }

  /** Signals the loop to end after the current round. Returns immediately. */
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
   * @return whether the thread terminated within the limit; true for a thread that was never
   *     started
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

  /** Returns whether the thread was started and has not terminated. */
  public boolean isRunning() {
    return thread.isAlive();
  }

  /** Returns the time that the current round has taken so far, or zero while the loop waits. */
  public Duration busyFor() {
    return resting ? Duration.ZERO : Duration.ofNanos(scheduler.nanoTime() - lastRound);
  }

  /** Returns the exception that the last round threw, or empty if the round succeeded. */
  public Optional<Throwable> lastFailure() {
    return Optional.ofNullable(lastFailure);
  }

  /** The task of the loop's thread, which runs rounds until the loop is stopped. */
  private final class Rounds implements SteppedTask {
    private boolean ended;

    @Override
    public void run() {
      runUntilStopped();
    }

    @Override
    public Progress runRound() {
      if (ended) {
        return Progress.ENDED;
      }
      if (stopping) {
        ended = true;
        end();
        return Progress.RAN;
      }
      if (!woken) {
        return Progress.WAITING;
      }
      Optional<Duration> limit = runStep(step).limit();
      if (limit.isPresent() && limit.get().isZero()) {
        woken = true;
      } else {
        limit.ifPresent(Loop.this::setAlarm);
      }
      return Progress.RAN;
    }
  }

  private StepDelay runStep(LoopStep current) {
    woken = false; // must precede the step; otherwise a wake-up during the step would be lost
    lastRound = scheduler.nanoTime();
    resting = false;
    try {
      StepDelay delay = current.run();
      lastFailure = null;
      return delay;
    } catch (Throwable t) {
      if (!stopping) {
        lastFailure = t;
        report("{} failed; continuing in {}", t);
      }
      return REST;
    } finally {
      resting = true;
    }
  }

  private void runRounds(LoopStep current) {
    while (!stopping) {
      try {
        rest(runStep(current));
      } catch (Throwable t) {
        // The timer could not be set, for example because no thread or memory was left. The loop
        // must continue.
        report("{} failed to pause; continuing in {}", t);
        LockSupport.parkNanos(this, NANOS_AFTER_FAILURE);
      }
    }
  }

  private void runUntilStopped() {
    try {
      runRounds(step);
    } finally {
      end();
    }
  }

  private void end() {
    Runnable last = onEnd;
    step = () -> StepDelay.UNTIL_WOKEN;
    onEnd = () -> {};
    cancelAlarm();
    last.run();
  }

  /**
   * Logs a failure. The loop continues even if logging itself fails, for example because memory is
   * exhausted.
   */
  private void report(String sentence, Throwable failure) {
    try {
      log.error(sentence, name, DELAY, failure);
    } catch (Throwable t) {
      lastFailure = t;
    }
  }

  private void rest(StepDelay delay) {
    Optional<Duration> limit = delay.limit();
    if (limit.isPresent() && limit.get().isZero()) {
      return;
    }
    limit.ifPresent(this::setAlarm);
    while (!woken && !stopping) {
      LockSupport.park(this);
      if (Thread.interrupted()) {
        // Only a stop is expected to interrupt a loop, and only the flag decides whether the loop
        // stops.
        break;
      }
    }
  }

  /**
   * Ensures that a timer wakes the loop when the limit has passed, or earlier. This method keeps an
   * existing timer that fires earlier, because steps tolerate early calls. Without this rule, a
   * busy loop would set and cancel a timer in every round.
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
    alarm = null; // cleared first, because setting the next timer can fail
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
