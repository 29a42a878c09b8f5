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
 * Calls a {@link LoopStep} repeatedly on a thread until the loop is stopped. After each call, the
 * loop waits for the delay that the step has returned.
 *
 * <p>The loop continues if a step throws an exception or an {@link Error}. It logs the exception,
 * stores it as {@link #lastFailure()}, and calls the step again after {@link #AFTER_FAILURE}. If
 * the scheduler fails to set a timer, the loop logs the failure and sleeps for {@link
 * #AFTER_FAILURE}. This is the only delay that does not use the scheduler's time. A {@linkplain
 * FatalErrors fatal error}, such as an {@link OutOfMemoryError}, ends the loop and its thread: it
 * is logged, {@link #isRunning()} returns false, which health checks report, and the owner of the
 * thread can handle it ({@link FatalErrors#reporting}).
 *
 * <p>The loop records when each iteration begins and ends. Health checks can therefore distinguish
 * a waiting loop from a stuck loop with {@link #busyFor()}.
 *
 * <p>All methods can be called from any thread. A loop cannot be started again after it has
 * stopped. A stopped loop does not hold references to its step, so the step can be
 * garbage-collected.
 */
public final class Loop {

  /**
   * The delay after a step has thrown an exception: 1 s, as in client-go's {@code wait.Until}
   * loops.
   */
  public static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

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

  /** The timer that was set last, for {@link #alarmAt}. It may already have fired. */
  private Scheduler.@Nullable Alarm alarm;

  private long alarmAt;

  /**
   * Whether the next iteration is to begin immediately. Initially true, so that the first iteration
   * begins without delay.
   */
  private volatile boolean woken = true;

  private volatile boolean stopping;
  private volatile long lastRound;
  private volatile boolean resting;
  private volatile @Nullable Throwable lastFailure;

  /**
   * Creates a loop. Call {@link #start()} to start it.
   *
   * @param name the name of the thread, which also identifies the loop in logs and health reports
   * @param step the step to call
   * @param scheduler the scheduler that provides the time and the timers
   * @param threads the factory that creates the loop's thread. The loop sets the thread's name, and
   *     makes a platform thread a daemon thread
   */
  public Loop(String name, LoopStep step, Scheduler scheduler, ThreadFactory threads) {
    this(name, step, scheduler, threads, () -> {});
  }

  /**
   * Creates a loop with an action to run at its end. Call {@link #start()} to start the loop.
   *
   * @param onEnd the action, which runs once on the loop's thread after the last iteration
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

  /**
   * Starts the thread that runs the loop.
   *
   * @throws IllegalStateException if the thread cannot be created; the call can be repeated
   */
  public void start() {
    lastRound = scheduler.nanoTime();
    FatalErrors.start(thread);
  }

  /**
   * Makes the loop call the step again without delay. If the loop is waiting, ends the current
   * delay. If the step is running, skips the delay after this iteration.
   */
  public void wake() {
    if (!woken) { // otherwise an earlier wake-up is still pending
      woken = true;
      LockSupport.unpark(thread);
    }
  }

  /** Makes the loop end after the current iteration. Returns immediately. */
  public void stop() {
    stopping = true;
    LockSupport.unpark(thread);
  }

  /** Stops the loop as {@link #stop} does, and interrupts the current iteration. */
  public void interrupt() {
    stop();
    thread.interrupt();
  }

  /**
   * Waits for the loop's thread to terminate.
   *
   * @return whether the thread has terminated within the time limit; also true if the thread was
   *     never started, or if the loop's thread calls this method
   * @throws InterruptedException if the caller is interrupted while waiting
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

  /** Returns whether the loop's thread has been started and has not yet terminated. */
  public boolean isRunning() {
    return thread.isAlive();
  }

  /** Returns the duration of the current iteration so far, or zero while the loop is waiting. */
  public Duration busyFor() {
    return resting ? Duration.ZERO : Duration.ofNanos(scheduler.nanoTime() - lastRound);
  }

  /** Returns the exception that the last iteration threw, or empty if that iteration succeeded. */
  public Optional<Throwable> lastFailure() {
    return Optional.ofNullable(lastFailure);
  }

  /** The task of the loop's thread. It runs iterations until the loop is stopped. */
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
    } catch (Exception | Error e) {
      FatalErrors.rethrow(e);
      if (!stopping) {
        lastFailure = e;
        report("{} failed; continuing in {}", e);
      }
      return StepDelay.of(AFTER_FAILURE);
    } finally {
      resting = true;
    }
  }

  private void runUntilStopped() {
    try {
      while (!stopping) {
        StepDelay delay = runStep(step);
        try {
          rest(delay);
        } catch (RuntimeException e) { // the timer could not be set
          report("{} failed to pause; continuing in {}", e);
          LockSupport.parkNanos(this, AFTER_FAILURE.toNanos());
        }
      }
    } catch (Error e) {
      lastFailure = e;
      log.error("{} has ended", name, e);
      throw e;
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

  /** Logs a failure. The loop continues even if logging itself fails. */
  private void report(String sentence, Throwable failure) {
    try {
      log.error(sentence, name, DurationText.of(AFTER_FAILURE), failure);
    } catch (RuntimeException | Error e) {
      FatalErrors.rethrow(e);
      lastFailure = e;
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
   * Ensures that a timer wakes the loop after the given time or earlier. An existing timer that
   * fires earlier is kept, because an additional call of the step does no harm. Otherwise, a busy
   * loop would set and cancel a timer in every iteration.
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
