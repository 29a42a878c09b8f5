// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.running.Turns;

/**
 * Limits how many objects several controllers together reconcile at the same time, in addition to
 * the limit of each controller ({@code maxConcurrentReconciles}). Pass the same instance to each of
 * them:
 *
 * <pre>{@code
 * ConcurrencyLimit limit = ConcurrencyLimit.of(8);
 * ControllerBuilder.forType(Foo.class).maxConcurrentReconciles(8).concurrencyLimit(limit)...
 * ControllerBuilder.forType(Bar.class).maxConcurrentReconciles(8).concurrencyLimit(limit)...
 * }</pre>
 *
 * <p>Reconciles get their turns in the order in which their workers took them; a waiting request is
 * not yet being reconciled. When the worker of a reconcile that does not react to its interrupt is
 * replaced, the turn passes to another reconcile, so unresponsive reconciles can exceed the limit.
 * Thread safe.
 */
public final class ConcurrencyLimit {

  private final Turns turns;

  private ConcurrencyLimit(Turns turns) {
    this.turns = turns;
  }

  /**
   * Creates a limit.
   *
   * @param number how many objects may be reconciled at the same time; at least 1
   * @throws IllegalArgumentException if it is less
   */
  public static ConcurrencyLimit of(int number) {
    if (number < 1) {
      throw new IllegalArgumentException("a concurrency limit must be at least 1, not " + number);
    }
    return new ConcurrencyLimit(new Turns(number));
  }

  Turns turns() {
    return turns;
  }

  @Override
  public String toString() {
    return turns.toString();
  }
}
