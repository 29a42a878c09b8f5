// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

/**
 * A task that consists of separate iterations and blocks only between them. A test can therefore
 * run the iterations of many such tasks on one thread, in any order.
 *
 * <p>{@link Loop} and the workers of a controller pass such tasks to their {@link
 * java.util.concurrent.ThreadFactory}. A thread factory for tests can check for this type, and
 * return a thread that does not run the task. The test then calls {@link #runRound} instead. Use
 * either {@link #run} or {@link #runRound} for a task, but not both.
 */
public interface SteppedTask extends Runnable {

  /** The outcome of a call to {@link #runRound}. */
  enum Progress {
    /** The task has run one iteration. */
    RAN,
    /** There was no work to do. */
    WAITING,
    /** The task has ended and will not run again. */
    ENDED
  }

  /** Runs one iteration if there is work to do. */
  Progress runRound();
}
