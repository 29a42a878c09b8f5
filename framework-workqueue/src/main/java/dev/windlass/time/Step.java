// SPDX-License-Identifier: Apache-2.0
package dev.windlass.time;

/**
 * One round of a loop: does the work that is possible now and returns how long to rest before the
 * next call.
 *
 * <p>A step never blocks and never sleeps, so tests call it directly on virtual time; in
 * production, a {@link Loop} runs it on a thread. Only one thread at a time calls it.
 */
@FunctionalInterface
public interface Step {

  /**
   * Runs one round.
   *
   * @return the pause before the next round
   * @throws Exception any unexpected failure; the loop logs it and calls the step again after
   *     {@link Loop#AFTER_FAILURE}
   */
  Pause run() throws Exception;
}
