// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

/**
 * The work of one iteration of a loop. A step does the work that is ready, and returns the delay
 * before the next call.
 *
 * <p>A step must not block or sleep, so that tests can call it directly in virtual time. In
 * production, a {@link Loop} calls the step on a thread. Only one thread at a time calls a step.
 */
@FunctionalInterface
public interface LoopStep {

  /**
   * Runs one iteration.
   *
   * @return the delay before the next iteration
   * @throws Exception if the iteration fails. The loop logs the exception and calls the step again
   *     after {@link Loop#AFTER_FAILURE}
   */
  StepDelay run() throws Exception;
}
