// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import dev.windlass.scheduling.SteppedTask;
import dev.windlass.scheduling.SteppedTask.Progress;
import java.util.function.Consumer;

/**
 * A simulated thread. {@link #start()} does not start a real thread. Instead, the simulation runs
 * the task on the test's thread: one iteration at a time if the task is a {@link SteppedTask}, or
 * the whole task at once otherwise.
 */
final class SimulatedThread extends Thread {

  private static final int ROUNDS_TO_END = 1_000;

  private final Runnable task;
  private final Consumer<SimulatedThread> onStart;
  private boolean begun;
  private boolean ended;

  SimulatedThread(Runnable task, Consumer<SimulatedThread> onStart) {
    this.task = task;
    this.onStart = onStart;
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // there is only one thread
  public void start() {
    begun = true;
    onStart.accept(this);
  }

  /**
   * Runs one iteration of the task, or the whole task if it is not a {@link SteppedTask}. Returns
   * whether there was work to do.
   */
  boolean runRound() {
    if (ended) {
      return false;
    }
    if (task instanceof SteppedTask stepped) {
      Progress progress = stepped.runRound();
      ended = progress == Progress.ENDED;
      return progress == Progress.RAN;
    }
    ended = true;
    task.run();
    return true;
  }

  boolean hasEnded() {
    return ended;
  }

  /**
   * Runs the task until it ends or has no more work, if {@link #start()} has been called, and
   * returns {@link Thread.State#NEW}. {@code Loop.join} calls this method before it waits for a
   * thread, and does not wait if the result is {@code NEW}. Such a wait would block the test's
   * thread, on which the task runs.
   */
  @Override
  public State getState() {
    for (int i = 0; begun && i < ROUNDS_TO_END && runRound(); i++) {
      // The condition runs the round.
    }
    return super.getState();
  }
}
