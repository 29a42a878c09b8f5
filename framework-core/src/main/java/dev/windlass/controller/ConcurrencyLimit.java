// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.running.ReconcileSemaphore;

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
 * <p>Reconciles start in the order in which workers took their requests; a waiting request is not
 * yet being reconciled. A reconcile that does not react to its interrupt stops counting once its
 * worker is replaced, so unresponsive reconciles can exceed the limit. Thread safe.
 */
public final class ConcurrencyLimit {

  private final ReconcileSemaphore semaphore;

  private ConcurrencyLimit(ReconcileSemaphore semaphore) {
    this.semaphore = semaphore;
  }

  /**
   * Creates a limit.
   *
   * @param number how many objects may be reconciled at the same time; at least 1
   * @throws IllegalArgumentException if the number is less than 1
   */
  public static ConcurrencyLimit of(int number) {
    if (number < 1) {
      throw new IllegalArgumentException("a concurrency limit must be at least 1, not " + number);
    }
    return new ConcurrencyLimit(new ReconcileSemaphore(number));
  }

  ReconcileSemaphore semaphore() {
    return semaphore;
  }

  @Override
  public String toString() {
    return semaphore.toString();
  }
}
