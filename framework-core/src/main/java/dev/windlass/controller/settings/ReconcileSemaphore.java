// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.settings;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * A fair semaphore, which grants a limited number of permits in the order in which they are
 * requested. A permit is the right to reconcile one object. This class is thread-safe.
 */
public final class ReconcileSemaphore {

  private final int number;

  @GuardedBy("this")
  private int taken;

  /** The permits for which callers are waiting, in the order of the calls. */
  @GuardedBy("this")
  private final Deque<Permit> waiting = new ArrayDeque<>();

  /**
   * Creates a semaphore with all permits available.
   *
   * @param number the maximum number of permits that can be held concurrently
   */
  public ReconcileSemaphore(int number) {
    this.number = number;
  }

  /** The right to reconcile one object until the permit is closed. Closing is idempotent. */
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
   * @param givenUp returns whether to stop waiting; called before the thread waits, and each time
   *     it wakes up
   * @return the permit; if {@code givenUp} ended the wait, the permit is not held
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

  /** Wakes all waiting callers. Each of them checks whether to stop waiting. */
  public synchronized void wake() {
    notifyAll();
  }

  public synchronized int taken() {
    return taken;
  }

  public synchronized int waiting() {
    return waiting.size();
  }

  @Override
  public String toString() {
    return number + " reconciles at the same time";
  }
}
