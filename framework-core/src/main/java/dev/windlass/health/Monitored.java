// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import java.time.Duration;
import java.util.Optional;

/**
 * A component of a manager that reports its own health. It has one check of each kind. Any thread
 * can call the methods, which must not block. The checks return the cause of a problem. They return
 * empty if there is no problem, or while the component is not supposed to run.
 */
public interface Monitored {

  /** Returns the name of the component's checks, such as {@code controller-foo}. */
  String checkName();

  /**
   * Returns the cause of a problem that only a restart fixes, or empty if there is none.
   *
   * @param wedgedAfter the time that unresponsive work may hold all workers of the component
   */
  Optional<String> liveness(Duration wedgedAfter);

  /**
   * Returns the cause of a problem that prevents the component from working but can be temporary,
   * or empty if there is none.
   */
  Optional<String> readiness();
}
