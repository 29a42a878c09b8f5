// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testsupport;

import static org.awaitility.pollinterval.IterativePollInterval.iterative;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * How long, and how often, tests that talk to a server look for its answer to take effect. Apart
 * from {@link Eventually}, because the tests of modules without a server have no Awaitility.
 */
public final class Patience {

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final Duration FIRST = Duration.ofMillis(2);
  private static final Duration LONGEST = Duration.ofMillis(50);

  private Patience() {}

  /** Waits for at most 90 s, and looks at once, then ever less often, at last every 50 ms. */
  public static ConditionFactory eventually() {
    return Awaitility.await()
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .pollInterval(iterative(last -> shorter(last.multipliedBy(2), LONGEST), FIRST));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
