// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * A fair semaphore: hands out a limited number of permits in the order of the calls. A permit is
 * the right to reconcile one object. Thread safe.
 */
public final class ReconcileSemaphore {

  private final int number;

  @GuardedBy("this")
  private int taken;

  /** Waiting callers, in order. */
  @GuardedBy("this")
  private final Deque<Permit> waiting = new ArrayDeque<>();

  /**
   * Creates a semaphore, all of whose permits are free.
   *
   * @param number how many permits can be held at the same time
   */
  public ReconcileSemaphore(int number) {
    this.number = number;
  }

  /** The right to reconcile one object, until it is closed. Closing is idempotent. */
  public final class Permit implements AutoCloseable {
    @GuardedBy("ReconcileSemaphore.this")
    private boolean held;

    private void begin() {
      synchronized (ReconcileSemaphore.this) {
        held = true;
        taken++;
      }
    }

    @Override
    public void close() {
      synchronized (ReconcileSemaphore.this) {
        if (held) {
          held = false;
          taken--;
          ReconcileSemaphore.this.notifyAll();
        }
      }
    }
  }

  /**
   * Waits for a permit.
   *
   * @param givenUp returns whether to stop waiting; checked each time the thread is woken
   * @return a permit that is held, unless the wait was given up
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public synchronized Permit await(BooleanSupplier givenUp) throws InterruptedException {
    Permit permit = new Permit();
    waiting.add(permit);
    try {
      while (taken >= number || waiting.peekFirst() != permit) {
        if (givenUp.getAsBoolean()) {
          return permit;
        }
        wait();
      }
      permit.begin();
      return permit;
    } finally {
      waiting.remove(permit);
      notifyAll(); // the next caller may be able to continue
    }
  }

  /** Wakes all waiting callers, so that they check whether to stop waiting. */
  synchronized void wake() {
    notifyAll();
  }

  /** Returns how many permits are held. */
  public synchronized int taken() {
    return taken;
  }

  /** Returns how many reconciles wait for a permit. */
  public synchronized int waiting() {
    return waiting.size();
  }

  @Override
  public String toString() {
    return number + " reconciles at the same time";
  }
}
