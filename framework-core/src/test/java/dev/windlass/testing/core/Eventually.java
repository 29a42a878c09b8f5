// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.core;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Waits for what other threads do, without a pause and not for ever. */
public final class Eventually {

  private static final long LIMIT_NANOS = 20_000_000_000L;

  private Eventually() {}

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
