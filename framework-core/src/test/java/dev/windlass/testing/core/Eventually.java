// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.core;

import dev.windlass.testing.time.ManualScheduler;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Waits for what other threads do, without a pause and not for ever. */
public final class Eventually {

  private static final long LIMIT_NANOS = 20_000_000_000L;

  private Eventually() {}

  /**
   * As {@link #that(ThrowingCallable)}, and lets virtual time go on by a step whenever somebody
   * waits for no more than that. Whoever waits for longer, such as a watch for its end, is not
   * outrun by a test that merely waits for its turn on a busy machine.
   */
  public static void that(ManualScheduler time, Duration step, ThrowingCallable assertion) {
    that(
        () -> {
          if (time.pending().stream().anyMatch(wait -> wait.compareTo(step) <= 0)) {
            time.advance(step);
          }
          assertion.call();
        });
  }

  /** Tries the assertion until it holds, and reports its last failure after 20 s. */
  public static void that(ThrowingCallable assertion) {
    long begin = System.nanoTime();
    while (true) {
      try {
        assertion.call();
        return;
      } catch (AssertionError e) {
        if (System.nanoTime() - begin > LIMIT_NANOS) {
          throw e;
        }
        Thread.onSpinWait();
      } catch (Throwable t) {
        throw new AssertionError("the assertion itself failed", t);
      }
    }
  }
}
