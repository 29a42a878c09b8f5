// SPDX-License-Identifier: Apache-2.0
package dev.windlass.scheduling;

/**
 * The task of a thread that never blocks except to wait for its next round. A test can therefore
 * run the rounds of many such tasks on one thread, in an order that the test chooses.
 *
 * <p>{@link Loop} and a controller's workers create their threads with such tasks. A {@link
 * java.util.concurrent.ThreadFactory} for tests can check for this type, never start the thread,
 * and call {@link #runRound} instead. Either the task's thread runs it, or a test runs it in single
 * rounds, but never both.
 */
public interface SteppedTask extends Runnable {

  /** The outcome of a call to {@link #runRound}. */
  enum Progress {
    /** The task ran a round. */
    RAN,
    /** There was no work to do. */
    WAITING,
    /** The task has ended and will not run again. */
    ENDED
  }

  /** Runs one round if there is work to do. */
  Progress runRound();
}
