// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import java.time.Duration;

/** Checks whether one part of the program works. Called by one thread at a time. */
@FunctionalInterface
public interface HealthCheck {

  /** The time after which a running check counts as red: 3 s. */
  Duration LIMIT = Duration.ofSeconds(3);

  /** The kind of a check. */
  enum Kind {
    /** Part of {@code /livez} and {@code /healthz}. Fails if the program must be restarted. */
    LIVE,
    /** {@code /readyz}: red if the program should not receive work for now. */
    READY
  }

  /**
   * Returns normally if there is no problem. May block for less than {@link #LIMIT}.
   *
   * @throws Exception if there is a problem. The message states the cause, and is visible to any
   *     caller that can reach the port
   */
  void check() throws Exception;
}
