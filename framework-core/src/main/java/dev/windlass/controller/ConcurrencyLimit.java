// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * Limits how many objects are reconciled at the same time by several controllers together, beside
 * the limit that each of them has ({@code maxConcurrentReconciles}). Give the same one to each of
 * them:
 *
 * <pre>{@code
 * ConcurrencyLimit limit = ConcurrencyLimit.of(8);
 * ControllerBuilder.forType(Foo.class).maxConcurrentReconciles(8).concurrencyLimit(limit)...
 * ControllerBuilder.forType(Bar.class).maxConcurrentReconciles(8).concurrencyLimit(limit)...
 * }</pre>
 *
 * <p>Reconciles wait for their turn in the order in which their workers took them; a request that
 * waits is not yet being reconciled. The turn of a reconcile that does not react to its interrupt
 * passes to another one when its worker is replaced, so the number can be exceeded by such
 * reconciles. Thread safe.
 */
public final class ConcurrencyLimit {

  /** No limit. */
  static final ConcurrencyLimit NONE = new ConcurrencyLimit(Integer.MAX_VALUE);

  private final int number;

  @GuardedBy("this")
  private int taken;

  /** Those who wait, in order. */
  @GuardedBy("this")
  private final Deque<Turn> waiting = new ArrayDeque<>();

  private ConcurrencyLimit(int number) {
    this.number = number;
  }

  /**
   * Creates a limit.
   *
   * @param number how many objects may be reconciled at the same time; at least 1
   * @throws IllegalArgumentException if it is less
   */
  public static ConcurrencyLimit of(int number) {
    if (number < 1) {
      throw new IllegalArgumentException(
          "a concurrency limit must let at least one reconcile run, and this is " + number);
    }
    return new ConcurrencyLimit(number);
  }

  /** The right to reconcile one object, until it is closed. Closing it again does nothing. */
  final class Turn implements AutoCloseable {
    @GuardedBy("ConcurrencyLimit.this")
    private boolean held;

    private void begin() {
      synchronized (ConcurrencyLimit.this) {
        held = true;
        taken++;
      }
    }

    @Override
    public void close() {
      synchronized (ConcurrencyLimit.this) {
        if (held) {
          held = false;
          taken--;
          ConcurrencyLimit.this.notifyAll();
        }
      }
    }
  }

  /**
   * Waits for a turn.
   *
   * @param givenUp looked at whenever this is woken: whether to wait no longer
   * @return a turn that is held, unless the wait was given up
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  synchronized Turn await(BooleanSupplier givenUp) throws InterruptedException {
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
      notifyAll(); // the next one may be able to go on
    }
  }

  /** Makes all who wait look whether they have given up. */
  synchronized void wake() {
    notifyAll();
  }

  /** How many turns are held. */
  synchronized int taken() {
    return taken;
  }

  /** How many reconciles wait for theirs. */
  synchronized int waiting() {
    return waiting.size();
  }

  @Override
  public String toString() {
    return number == Integer.MAX_VALUE ? "no limit" : number + " reconciles at the same time";
  }
}
