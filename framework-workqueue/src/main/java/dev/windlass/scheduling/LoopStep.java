// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

/**
 * The work that a loop does in each round. A step does the work that is currently possible and
 * returns the delay before the next call.
 *
 * <p>A step never blocks and never sleeps, so tests can call it directly in virtual time. In
 * production, a {@link Loop} runs the step on a thread. Only one thread at a time calls a step.
 */
@FunctionalInterface
public interface LoopStep {

  /**
   * Runs one round.
   *
   * @return the delay before the next round
   * @throws Exception any unexpected failure; the loop logs it and calls the step again after
   *     {@link Loop#AFTER_FAILURE}
   */
  StepDelay run() throws Exception;
}
