// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import java.time.Duration;

/** Checks whether one part of the program works. Only one thread at a time calls a check. */
@FunctionalInterface
public interface HealthCheck {

  /** The time limit for a check: 3 s. A check that takes longer fails. */
  Duration LIMIT = Duration.ofSeconds(3);

  /** A check's kind. */
  enum Kind {
    /**
     * A liveness check, served at {@code /livez} and {@code /healthz}. It fails if the program must
     * be restarted.
     */
    LIVE,
    /**
     * A readiness check, served at {@code /readyz}. It fails while the program should not receive
     * work.
     */
    READY
  }

  /**
   * Performs the check. Returns normally if there is no problem. This method can block, but must
   * return within {@link #LIMIT}.
   *
   * @throws Exception if there is a problem. The message should state the cause. It can be read by
   *     all clients that have access to the health endpoint
   */
  void check() throws Exception;
}
