// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * Hands out a limited number of turns in the order of the calls; a turn is the right to reconcile
 * one object. Thread safe.
 */
public final class Turns {

  private final int number;

  @GuardedBy("this")
  private int taken;

  /** Waiting callers, in order. */
  @GuardedBy("this")
  private final Deque<Turn> waiting = new ArrayDeque<>();

  /**
   * Creates the turns, all of them free.
   *
   * @param number how many turns can be held at the same time
   */
  public Turns(int number) {
    this.number = number;
  }

  /** The right to reconcile one object, until it is closed. Closing is idempotent. */
  public final class Turn implements AutoCloseable {
    @GuardedBy("Turns.this")
    private boolean held;

    private void begin() {
      synchronized (Turns.this) {
        held = true;
        taken++;
      }
    }

    @Override
    public void close() {
      synchronized (Turns.this) {
        if (held) {
          held = false;
          taken--;
          Turns.this.notifyAll();
        }
      }
    }
  }

  /**
   * Waits for a turn.
   *
   * @param givenUp returns whether to stop waiting; checked each time the thread is woken
   * @return a turn that is held, unless the wait was given up
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public synchronized Turn await(BooleanSupplier givenUp) throws InterruptedException {
    Turn turn = new Turn();
    waiting.add(turn);
    try {
      while (taken >= number || waiting.peekFirst() != turn) {
        if (givenUp.getAsBoolean()) {
          return turn;
        }
        wait();
      }
      turn.begin();
      return turn;
    } finally {
      waiting.remove(turn);
      notifyAll(); // the next caller may be able to continue
    }
  }

  /** Wakes all waiting callers, so that they check whether to stop waiting. */
  synchronized void wake() {
    notifyAll();
  }

  /** Returns how many turns are held. */
  public synchronized int taken() {
    return taken;
  }

  /** Returns how many reconciles wait for a turn. */
  public synchronized int waiting() {
    return waiting.size();
  }

  @Override
  public String toString() {
    return number + " reconciles at the same time";
  }
}
