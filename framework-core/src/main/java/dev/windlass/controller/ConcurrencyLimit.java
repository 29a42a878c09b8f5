// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.running.ReconcileSemaphore;

/**
 * A limit on the total number of concurrent reconciles of several controllers. It applies in
 * addition to the limit of each controller ({@code maxConcurrentReconciles}). Pass the same
 * instance to each controller:
 *
 * <pre>{@code
 * ConcurrencyLimit limit = ConcurrencyLimit.of(8);
 * ControllerBuilder.forType(Foo.class).maxConcurrentReconciles(8).concurrencyLimit(limit)...
 * ControllerBuilder.forType(Bar.class).maxConcurrentReconciles(8).concurrencyLimit(limit)...
 * }</pre>
 *
 * <p>Reconciles start in the order in which workers took their requests. A request that waits
 * because of the limit does not count as being reconciled. A reconcile that does not react to its
 * interrupt no longer counts towards the limit once its worker has been replaced. If reconciles are
 * unresponsive, the total can therefore exceed the limit. This class is thread-safe.
 */
public final class ConcurrencyLimit {

  private final ReconcileSemaphore semaphore;

  private ConcurrencyLimit(ReconcileSemaphore semaphore) {
    this.semaphore = semaphore;
  }

  /**
   * Creates a limit.
   *
   * @param number the maximum number of concurrent reconciles; at least 1
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
