// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import dev.windlass.scheduling.SteppedTask;
import dev.windlass.scheduling.SteppedTask.Progress;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A simulated thread. {@link #start()} does not start a real thread. Instead, the simulation runs
 * the task on the test's thread: one iteration at a time if the task is a {@link SteppedTask}, or
 * the whole task at once otherwise. An iteration that is in progress is not entered again.
 */
final class SimulatedThread extends Thread {

  private static final int ROUNDS_TO_END = 1_000;

  private final Runnable task;
  private final Consumer<SimulatedThread> onStart;
  private final BooleanSupplier others;
  private boolean begun;
  private boolean ended;
  private volatile boolean running;

  /**
   * Creates a thread.
   *
   * @param onStart receives this thread when it starts
   * @param others runs a step of another thread, and returns whether there was work to do
   */
  SimulatedThread(Runnable task, Consumer<SimulatedThread> onStart, BooleanSupplier others) {
    this.task = task;
    this.onStart = onStart;
    this.others = others;
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
    if (ended || running) {
      return false;
    }
    running = true;
    try {
      if (task instanceof SteppedTask stepped) {
        Progress progress = stepped.runRound();
        ended = progress == Progress.ENDED;
        return progress != Progress.WAITING; // the last iteration may have run other steps
      }
      ended = true;
      task.run();
      return true;
    } finally {
      running = false;
      LockSupport.unpark(this);
      while (isAlive()) {
        Thread.onSpinWait();
      }
    }
  }

  boolean hasEnded() {
    return ended;
  }

  boolean isRunning() {
    return running;
  }

  /**
   * Makes {@link #isAlive()} return true until the current iteration ends, so that code which stops
   * this thread meanwhile finds it at work. A wait for this thread then blocks the test's thread
   * for the whole of its time limit. A thread can appear alive only once.
   *
   * @return whether the thread now appears alive
   */
  boolean appearAlive() {
    if (running && super.getState() == State.NEW) {
      super.start();
    }
    return isAlive();
  }

  /** The task of the real thread behind {@link #appearAlive()}. */
  @Override
  public void run() {
    while (running) {
      LockSupport.park(this);
      boolean unused = Thread.interrupted(); // an interrupt is for the simulated task
    }
  }

  /**
   * Runs the task until it ends, if {@link #start()} has been called, and returns {@link
   * Thread.State#NEW}. While the task waits, other threads run, and may provide what it waits for.
   * {@code Loop.join} calls this method before it waits for a thread, and does not wait if the
   * result is {@code NEW}. Such a wait would block the test's thread, on which the task runs.
   */
  @Override
  public State getState() {
    boolean goesOn = begun;
    for (int i = 0; goesOn && !ended && i < ROUNDS_TO_END; i++) {
      goesOn = runRound() || others.getAsBoolean();
    }
    return super.getState();
  }
}
