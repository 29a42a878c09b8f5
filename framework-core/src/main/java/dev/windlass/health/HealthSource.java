// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import java.time.Duration;
import java.util.Optional;

/**
 * A component of a manager that reports its own health through a liveness check and a readiness
 * check. A check returns the cause of a problem, or empty if there is none. While the component is
 * not supposed to run, both checks return empty. Any thread can call the methods, which must not
 * block.
 */
public interface HealthSource {

  /** Returns the name of both checks, such as {@code controller-foo}. */
  String checkName();

  /**
   * Returns the cause of a problem that only a restart can solve, or empty if there is none.
   *
   * @param wedgedAfter how long unresponsive work can block all of the component's workers before
   *     this method reports a problem
   */
  Optional<String> liveness(Duration wedgedAfter);

  /**
   * Returns the cause of a problem that prevents the component from working, or empty if there is
   * none. The problem can be temporary.
   */
  Optional<String> readiness();
}
