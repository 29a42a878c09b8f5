// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import java.time.Duration;
import java.util.Optional;

/**
 * A component of a manager that reports its own health. It gets one check of each kind. All methods
 * may be called from any thread and must not block. The checks return a cause, or empty if all is
 * well; all is well while the component is not supposed to run.
 */
public interface Monitored {

  /** Returns the name of its checks, such as {@code controller-foo}. */
  String checkName();

  /**
   * Returns the cause of a problem that only a restart cures.
   *
   * @param wedgedAfter how long all of its workers may be held by work that does not react
   */
  Optional<String> liveness(Duration wedgedAfter);

  /** Returns the cause of a problem that may pass, and that keeps it from its work until then. */
  Optional<String> readiness();
}
