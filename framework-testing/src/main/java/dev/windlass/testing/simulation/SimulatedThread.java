// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import dev.windlass.scheduling.SteppedTask;
import dev.windlass.scheduling.SteppedTask.Progress;
import java.util.function.Consumer;

/**
 * A thread that is never started. After {@link #start()}, the simulation runs the task of the
 * thread: one iteration at a time if the task is a {@link SteppedTask}, and otherwise as a whole.
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
   * Runs one iteration of the task, or a whole task without iterations. Returns whether there was
   * work to do.
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
   * Returns {@link Thread.State#NEW}. A caller that is about to join this thread first queries its
   * state. While the caller waits, the simulation could not run the thread, so this method runs the
   * thread to its end.
   */
  @Override
  public State getState() {
    for (int i = 0; begun && i < ROUNDS_TO_END && runRound(); i++) {
      // The condition runs the round.
    }
    return super.getState();
  }
}
