// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testsupport;

import dev.windlass.scheduling.ManualScheduler;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for what other threads do, for at most 20 s of real time. Between two looks it gives its
 * core to them.
 */
public final class Eventually {

  private static final long LIMIT_NANOS = 20_000_000_000L;
  private static final long PAUSE_NANOS = 100_000;

  private Eventually() {}

  /** Assertions on what other threads have brought about so far. */
  @FunctionalInterface
  public interface Assertion {

    /** Fails with an {@link AssertionError} if it does not hold yet. */
    void check() throws Throwable;
  }

  /**
   * As {@link #that(Assertion)}, and advances virtual time by a step whenever a thread waits for no
   * more than that. A thread that waits for longer, such as a watch for its end, is not outrun by a
   * test that merely waits for its turn on a busy machine.
   */
  public static void that(ManualScheduler time, Duration step, Assertion assertion) {
    that(
        () -> {
          if (time.pending().stream().anyMatch(wait -> wait.compareTo(step) <= 0)) {
            time.advance(step);
          }
          assertion.check();
        });
  }

  /**
   * Advances virtual time by 100 ms at a time until the condition holds. Threads can't miss it, as
   * they can a single advance when they have worked out how long to rest and have not begun to.
   */
  public static void advance(ManualScheduler time, BooleanSupplier condition) {
    until(
        () -> {
          boolean holds = condition.getAsBoolean();
          time.advance(Duration.ofMillis(holds ? 0 : 100));
          return holds;
        });
  }

  /** Tries the assertion until it holds, and throws its last failure after 20 s. */
  public static void that(Assertion assertion) {
    long begin = System.nanoTime();
    while (true) {
      try {
        assertion.check();
        return;
      } catch (AssertionError e) {
        if (System.nanoTime() - begin > LIMIT_NANOS) {
          throw e;
        }
        pause();
      } catch (Throwable t) {
        throw new AssertionError("the assertion itself failed", t);
      }
    }
  }

  /** Waits for the condition; fails after 20 s, or when the test's time-out interrupts it. */
  public static void until(BooleanSupplier condition) {
    that(
        () -> {
          if (!condition.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted()) {
              throw new IllegalStateException("interrupted before the condition held");
            }
            throw new AssertionError("the condition does not hold after 20 s");
          }
        });
  }

  /** Waits for a latch, in code that can't say that it was interrupted. */
  public static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Waits for the condition whatever happens, as code that ignores interrupts does: it swallows
   * them. For the threads of a test; {@link #until} is for the test itself.
   */
  public static void stuckUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.interrupted(); // or this pause and all after it would end at once
      pause();
    }
  }

  /** Lets other threads run for a moment of at least 0.1 ms. */
  private static void pause() {
    LockSupport.parkNanos(PAUSE_NANOS);
  }
}
