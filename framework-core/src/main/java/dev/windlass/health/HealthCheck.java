// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import java.time.Duration;

/** Checks whether one part of the program works. One thread at a time calls a check. */
@FunctionalInterface
public interface HealthCheck {

  /** The time after which a running check counts as failed: 3 s. */
  Duration LIMIT = Duration.ofSeconds(3);

  /** The kind of a check. */
  enum Kind {
    /**
     * A check for {@code /livez} and {@code /healthz}, which fails if the program must be
     * restarted.
     */
    LIVE,
    /** A check for {@code /readyz}, which fails if the program should not receive work for now. */
    READY
  }

  /**
   * Returns normally if there is no problem. This method can block for less than {@link #LIMIT}.
   *
   * @throws Exception if there is a problem. The message states the cause, and is visible to any
   *     caller that can reach the port
   */
  void check() throws Exception;
}
