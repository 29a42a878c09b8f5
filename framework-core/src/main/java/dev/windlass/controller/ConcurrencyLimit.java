// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.running.ReconcileSemaphore;

/**
 * A limit on the total number of concurrent reconciles across several controllers. It applies in
 * addition to the limit of each controller ({@code maxConcurrentReconciles}). Pass the same
 * instance to each controller:
 *
 * <pre>{@code
 * ConcurrencyLimit limit = ConcurrencyLimit.of(8);
 * ControllerBuilder.forType(Foo.class).maxConcurrentReconciles(8).concurrencyLimit(limit)...
 * ControllerBuilder.forType(Bar.class).maxConcurrentReconciles(8).concurrencyLimit(limit)...
 * }</pre>
 *
 * <p>Reconciles start in the order in which the workers took the requests from the queue. A request
 * that waits because the limit has been reached does not count as a running reconcile. A reconcile
 * that does not respond to interruption no longer counts towards the limit once its worker has been
 * replaced, so the number of running reconciles can exceed the limit. This class is thread-safe.
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
