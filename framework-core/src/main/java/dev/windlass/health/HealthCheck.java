// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

/** Checks whether one thing works. Called by one thread at a time. */
@FunctionalInterface
public interface HealthCheck {

  /**
   * Returns normally if all is well. May block, for less than {@link Health#LIMIT}.
   *
   * @throws Exception if something is wrong; its message states the cause, and any caller that can
   *     reach the port may see it
   */
  void check() throws Exception;
}
