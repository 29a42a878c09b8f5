// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import java.time.Duration;

/** Checks whether one thing works. Called by one thread at a time. */
@FunctionalInterface
public interface HealthCheck {

  /** The longest time that a check may take before it is red: 3 s. */
  Duration LIMIT = Duration.ofSeconds(3);

  /** The kind of a check. */
  enum Kind {
    /** {@code /livez} and {@code /healthz}: red if the program needs a restart. */
    LIVE,
    /** {@code /readyz}: red if the program should get no work for now. */
    READY
  }

  /**
   * Returns normally if all is well. May block, for less than {@link #LIMIT}.
   *
   * @throws Exception if something is wrong; its message states the cause, and any caller that can
   *     reach the port may see it
   */
  void check() throws Exception;
}
