// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import java.time.Duration;
import java.util.Optional;

/**
 * A component of a manager that reports its own health through one liveness check and one readiness
 * check. Both return the cause of a problem, or empty if there is no problem or while the component
 * is not supposed to run. Any thread can call the methods, which must not block.
 */
public interface HealthSource {

  /** Returns the name of both checks, such as {@code controller-foo}. */
  String checkName();

  /**
   * Returns the cause of a problem that only a restart can solve, or empty if there is none.
   *
   * @param wedgedAfter the time after which unresponsive work that blocks all of the component's
   *     workers counts as a problem
   */
  Optional<String> liveness(Duration wedgedAfter);

  /**
   * Returns the cause of a problem, possibly temporary, that prevents the component from working,
   * or empty if there is none.
   */
  Optional<String> readiness();
}
