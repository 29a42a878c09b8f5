// SPDX-License-Identifier: Apache-2.0
package dev.windlass.time;

/**
 * One round of a loop: does what can be done now and says when it wants to be called again.
 *
 * <p>A step never waits and never sleeps, so a test calls it directly on virtual time, and a {@link
 * Loop} puts a thread around it in production. It is called by one thread at a time.
 */
@FunctionalInterface
public interface Step {

  /**
   * Does one round.
   *
   * @return the rest before the next round
   * @throws Exception what the step did not expect; the loop logs it and calls the step again after
   *     {@link Loop#AFTER_FAILURE}
   */
  Pause run() throws Exception;
}
