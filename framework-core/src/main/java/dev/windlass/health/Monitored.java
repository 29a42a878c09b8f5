// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import java.time.Duration;
import java.util.Optional;

/**
 * A component of a manager that can say how it is; each has a check of each kind. All methods may
 * be called from any thread, must not wait, and answer with a cause, or empty if all is well. While
 * the component is not meant to run, all is well.
 */
public interface Monitored {

  /** The name of its checks, such as {@code controller-foo}. */
  String checkName();

  /**
   * What nothing but a restart cures.
   *
   * @param wedgedAfter how long all of its workers may have been held by what does not react
   */
  Optional<String> liveness(Duration wedgedAfter);

  /** What may pass, and keeps it from its work until then. */
  Optional<String> readiness();
}
