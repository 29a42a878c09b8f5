// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.shutdown;

import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Deadline;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops components one after another, each by a deadline. If stopping a component throws an
 * exception, the other components can still be stopped. This class is thread-safe.
 */
public final class StopSequence {

  /**
   * The default shutdown time-out: 25 s. By default, the kubelet grants 30 s, so the JVM has 5 s to
   * exit.
   */
  public static final Duration STOP_TIMEOUT = Duration.ofSeconds(25);

  /**
   * The time after a component's deadline at which the thread that is stopping the component is
   * interrupted: 1 s.
   */
  static final Duration OVERRUN = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger("dev.windlass.manager.Manager");

  /** An operation that stops a component within a time limit. */
  public interface Stop {
    boolean within(Duration limit) throws InterruptedException;
  }

  /** The fraction of a time limit that is reserved for the components that stop last: one tenth. */
  private static final int RESERVE = 10;

  private final Scheduler scheduler;

  public StopSequence(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  public Deadline in(Duration limit) {
    return Deadline.in(limit, scheduler);
  }

  /**
   * Returns the part of a time limit that is reserved for the components that stop last, such as
   * the caches and the Event broadcaster. A reconcile that hangs cannot use up this part.
   */
  public static Duration reserve(Duration limit) {
    return Duration.ofNanos(Scheduler.saturatedNanos(limit) / RESERVE);
  }

  /**
   * Waits until the given future is complete or the time limit has expired. Interrupts do not end
   * the wait.
   *
   * @return whether the future was completed within the limit
   */
  public boolean await(CompletableFuture<?> event, Duration limit) {
    if (event.isDone()) {
      return true;
    }
    CompletableFuture<Void> over = new CompletableFuture<>();
    Scheduler.Alarm alarm = alarm(() -> over.complete(null), limit);
    if (alarm == null) {
      return event.isDone(); // without a timer, the wait might not end
    }
    try {
      CompletableFuture.anyOf(event, over).join();
      return event.isDone();
    } finally {
      alarm.cancel();
    }
  }

  /**
   * Waits until a call on another thread has ended. If it has not when half of the time is over,
   * interrupts it.
   *
   * @param interrupt interrupts the call, unless it has ended
   * @return whether the call has ended before the deadline
   */
  public boolean await(CompletableFuture<?> end, Runnable interrupt, Deadline deadline) {
    if (await(end, deadline.left().dividedBy(2))) {
      return true;
    }
    interrupt.run();
    return await(end, deadline.left());
  }

  /**
   * Sets a timer and returns it. If this fails, for example because no thread or memory is
   * available, logs the failure and returns null, so that the shutdown can continue.
   */
  private Scheduler.@Nullable Alarm alarm(Runnable task, Duration delay) {
    try {
      return scheduler.schedule(task, delay);
    } catch (RuntimeException | Error e) {
      log.error(
          "Failed to set the alarm for a time limit of the stop; stopping without it",
          OneLine.of(e));
      return null;
    }
  }

  /**
   * Stops one component. If the calling thread is interrupted during the stop, the component may
   * return early and leave threads running, so this method stops it a second time. Afterwards, it
   * restores the interrupt status of the thread. If the component exceeds the deadline by more than
   * {@link #OVERRUN}, a timer interrupts the calling thread.
   *
   * @param what the component, for log messages
   * @return whether the component stopped before the deadline
   */
  public boolean end(Object what, Stop stop, Deadline deadline) {
    boolean interrupted = Thread.interrupted();
    boolean inTime = false;
    Interrupter interrupter = new Interrupter(Thread.currentThread());
    Scheduler.Alarm alarm = alarm(interrupter::interrupt, deadline.left().plus(OVERRUN));
    try {
      inTime = stop.within(deadline.left());
    } catch (InterruptedException e) {
      interrupted |= !interrupter.isOver();
      inTime = !interrupter.isOver() && endAgain(what, stop, deadline);
    } catch (RuntimeException | Error e) {
      log.error("Failed to stop {}; stopping the other components", what, OneLine.of(e));
    } finally {
      if (alarm != null) {
        alarm.cancel();
      }
      interrupted |= interrupter.end();
    }
    if (!inTime) {
      log.warn("{} did not stop in time", what);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return inTime;
  }

  private boolean endAgain(Object what, Stop stop, Deadline deadline) {
    try {
      return stop.within(deadline.left());
    } catch (InterruptedException | RuntimeException | Error e) {
      log.error("Failed to stop {}; stopping the other components", what, OneLine.of(e));
      return false;
    }
  }

  /**
   * Interrupts a thread that takes too long to stop a component. Never interrupts the thread after
   * the stop has ended.
   */
  private static final class Interrupter {
    private final Thread thread;
    private final AtomicBoolean over = new AtomicBoolean();
    private boolean ended;

    Interrupter(Thread thread) {
      this.thread = thread;
    }

    synchronized void interrupt() {
      if (!ended) {
        over.set(true);
        thread.interrupt();
      }
    }

    boolean isOver() {
      return over.get();
    }

    /**
     * Prevents further interrupts by this object, and clears the thread's interrupt status. Returns
     * true if the thread was interrupted and this object did not interrupt it.
     */
    synchronized boolean end() {
      ended = true;
      return Thread.interrupted() && !isOver();
    }
  }
}
