// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

/** Finds out whether one thing is as it should be. Called by one thread at a time. */
@FunctionalInterface
public interface HealthCheck {

  /**
   * Returns if all is well. It may wait, for less than {@link Health#LIMIT}.
   *
   * @throws Exception if something is wrong; the message says what, as it is shown to whoever can
   *     reach the port
   */
  void check() throws Exception;
}
