// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import java.time.Duration;
import java.util.Optional;

/**
 * A component of a manager that reports its own health. It has one check of each kind. All methods
 * may be called from any thread and must not block. The checks return the cause of a problem, or
 * empty if there is none, and also while the component is not supposed to run.
 */
public interface Monitored {

  /** Returns the name of its checks, such as {@code controller-foo}. */
  String checkName();

  /**
   * Returns the cause of a problem that only a restart fixes.
   *
   * @param wedgedAfter how long unresponsive work may hold all workers of the component
   */
  Optional<String> liveness(Duration wedgedAfter);

  /** Returns the cause of a problem that may be temporary and keeps the component from working. */
  Optional<String> readiness();
}
