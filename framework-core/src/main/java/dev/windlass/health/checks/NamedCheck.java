// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.health.HealthCheck;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A named health check. At most one run of the check is in progress at a time, and the next one
 * starts at least 100 ms after its end. All callers in the meantime receive the outcome of the same
 * run, so the number of callers does not affect the time that they wait. If a run exceeds {@link
 * dev.windlass.health.HealthCheck#LIMIT}, the check counts as failed and does not run again until
 * this run has ended. This class is thread-safe.
 */
public final class NamedCheck {

  /** How long the outcome of a run answers further callers: 100 ms. */
  static final Duration VALID = Duration.ofMillis(100);

  private final String name;
  private final HealthCheck check;
  private final Scheduler scheduler;

  /** The current or the last run, or null before the first one. */
  @GuardedBy("this")
  private @Nullable CompletableFuture<Optional<String>> latest;

  @GuardedBy("this")
  private long began;

  @GuardedBy("this")
  private long ended;

  public NamedCheck(String name, HealthCheck check, Scheduler scheduler) {
    this.name = name;
    this.check = check;
    this.scheduler = scheduler;
  }

  public String name() {
    return name;
  }

  /**
   * Starts a run unless one is in progress or has just ended, and returns without waiting for its
   * outcome.
   *
   * @return a future for the outcome: the cause of the failure, or empty if the check succeeded
   */
  public CompletableFuture<Optional<String>> problem(CheckThreads threads) {
    CompletableFuture<Optional<String>> result;
    Duration left;
    boolean begins;
    synchronized (this) {
      long now = scheduler.nanoTime();
      CompletableFuture<Optional<String>> last = latest;
      begins =
          last == null || (last.isDone() && (now - ended >= VALID.toNanos() || threads.isClosed()));
      if (last == null || begins) {
        last = new CompletableFuture<>();
        latest = last;
        began = now;
      }
      result = last;
      left = HealthCheck.LIMIT.minusNanos(now - began);
    }
    if (begins) {
      begin(threads, result);
    }
    return within(left, result);
  }

  private void begin(CheckThreads threads, CompletableFuture<Optional<String>> result) {
    try {
      threads.run(() -> runToEnd(result));
    } catch (RejectedExecutionException e) {
      end(result, Optional.of("it was not run: " + threads.refusal()));
    } catch (RuntimeException | Error e) { // no thread
      end(result, Optional.of("it could not be run: " + SafeCauseText.of(e)));
    }
  }

  /**
   * Runs the check and completes the result, even if the check throws an exception. Otherwise,
   * callers would wait forever, and the check could not run again.
   */
  private void runToEnd(CompletableFuture<Optional<String>> result) {
    Optional<String> problem = Optional.of("it failed, and its cause can't be described");
    try {
      problem = run();
    } finally {
      end(result, problem);
    }
  }

  private Optional<String> run() {
    try {
      check.check();
      return Optional.empty();
    } catch (Throwable t) { // the root of a thread, and the program's code
      FatalErrors.rethrow(t);
      return Optional.of(SafeCauseText.of(t));
    }
  }

  private void end(CompletableFuture<Optional<String>> result, Optional<String> problem) {
    synchronized (this) {
      ended = scheduler.nanoTime();
    }
    result.complete(problem);
  }

  private CompletableFuture<Optional<String>> within(
      Duration left, CompletableFuture<Optional<String>> result) {
    if (result.isDone()) {
      return result;
    }
    if (left.isNegative() || left.isZero()) {
      return CompletableFuture.completedFuture(hanging());
    }
    CompletableFuture<Optional<String>> limited = new CompletableFuture<>();
    Scheduler.Alarm alarm = scheduler.schedule(() -> limited.complete(hanging()), left);
    CompletableFuture<Void> unused =
        result.thenAccept(
            problem -> {
              alarm.cancel();
              limited.complete(problem);
            });
    return limited;
  }

  private Optional<String> hanging() {
    long since;
    synchronized (this) {
      since = began;
    }
    long seconds = Duration.ofNanos(scheduler.nanoTime() - since).toSeconds();
    return Optional.of("the check has not returned for " + seconds + " s");
  }
}
