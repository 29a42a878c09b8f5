// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.shutdown;

import dev.windlass.leader.LeadershipLostException;
import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request to stop a manager, with its reason and outcome. If there are several requests or
 * failures, only the first reason and the first failure are recorded. This class is thread-safe.
 */
public final class StopRequest {

  private static final Logger log = LoggerFactory.getLogger("dev.windlass.manager.Manager");

  public static final String BY_THE_PROGRAM = "requested by the program";

  /**
   * The first request to stop.
   *
   * @param why the reason for the shutdown
   * @param at the time at which the request was made, in nanoseconds on the scheduler's clock
   */
  private record First(String why, long at) {}

  private final Scheduler scheduler;
  private final AtomicReference<@Nullable First> first = new AtomicReference<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final CountDownLatch made = new CountDownLatch(1);

  /** Whether the program waits for the request and then stops the manager. */
  private volatile boolean awaited;

  /** The thread that carries out the shutdown; null before the shutdown. */
  private volatile @Nullable Thread stopper;

  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

  public StopRequest(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Requests that the manager stop. This method returns immediately. */
  public void make(String why) {
    first.compareAndSet(null, new First(why, scheduler.nanoTime()));
    made.countDown();
  }

  /**
   * Requests that the manager stop because a component has failed. This method returns immediately.
   */
  public void fail(Throwable cause) {
    boolean isFirst = failure.compareAndSet(null, cause);
    try {
      make(cause instanceof LeadershipLostException ? explanation(cause) : "a component failed");
    } finally {
      made.countDown(); // even if there is no memory left to say why
    }
    log(isFirst, explanation(cause));
  }

  private static String explanation(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return cause instanceof LeadershipLostException
        ? message
        : "a component failed: " + (cause instanceof Error ? cause : message);
  }

  private void log(boolean isFirst, String why) {
    if (isFirst && awaited) {
      log.error("Stopping the manager because {}", why);
    } else if (isFirst) {
      log.error(
          "The program must stop the manager, which it started with start(), because {}", why);
    }
  }

  /**
   * Installs signal handlers that request shutdown. The caller must wait for the request and then
   * carry out the shutdown. The handlers remain installed until the returned object is closed.
   */
  public ShutdownSignals onSignals() {
    awaited = true;
    return ShutdownSignals.handle(this::make, scheduler);
  }

  /** Waits until shutdown is requested. */
  public void await() throws InterruptedException {
    made.await();
  }

  /**
   * Performs the shutdown on the calling thread. This method must be called only once.
   *
   * @param end a function that stops all components and returns whether they stopped within the
   *     time limit
   * @return whether all components stopped within the time limit
   */
  public boolean carryOut(BooleanSupplier end) {
    stopper = Thread.currentThread();
    boolean inTime = false;
    try {
      make(BY_THE_PROGRAM);
      inTime = end.getAsBoolean();
    } finally {
      ended.complete(inTime);
    }
    return inTime;
  }

  /**
   * Waits for the shutdown that {@link #carryOut} performs, and returns its result. If the caller
   * is itself part of the shutdown, waiting would cause a deadlock. In this case, the method does
   * not wait, and returns false unless the shutdown has already ended.
   *
   * @param byAComponent whether the caller is a component that is being started or stopped
   */
  public boolean awaitEnd(boolean byAComponent) {
    boolean within = byAComponent || stopper == Thread.currentThread();
    return (!within || ended.isDone()) && ended.join();
  }

  /** Returns the first fatal failure of a component, or empty if no component has failed. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure.get());
  }

  /** Throws an {@link IllegalStateException} if a component has failed. */
  public void throwFailure() {
    Throwable cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException(explanation(cause), cause);
    }
  }

  /**
   * Logs the reason for the shutdown and its outcome. This is the last line that the manager logs.
   */
  public void report(boolean inTime) {
    First request = first.get();
    if (request == null) {
      return; // can't happen, because each stop makes a request
    }
    Duration took = Duration.ofNanos(scheduler.nanoTime() - request.at());
    String text = DurationText.of(took.truncatedTo(ChronoUnit.MILLIS));
    if (inTime) {
      log.info("The manager stopped after {}: {}", text, request.why());
    } else {
      log.warn(
          "The manager stopped incompletely after {} ({}); the warnings above name what remains",
          text,
          request.why());
    }
  }
}
