// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.settings.ReconcileSemaphore;

/**
 * A limit on the total number of concurrent reconciles of several controllers. It applies in
 * addition to each controller's own limit ({@code maxConcurrentReconciles}). Pass the same instance
 * to each controller:
 *
 * <pre>{@code
 * ConcurrencyLimit limit = ConcurrencyLimit.of(8);
 * ControllerBuilder.forType(Foo.class).maxConcurrentReconciles(8).concurrencyLimit(limit)...
 * ControllerBuilder.forType(Bar.class).maxConcurrentReconciles(8).concurrencyLimit(limit)...
 * }</pre>
 *
 * <p>If the limit has been reached, workers wait, and continue in the order in which they took
 * their requests from the queue. A waiting request does not count as a running reconcile. If a
 * reconcile exceeds its time-out and does not respond to interruption, the reconcile no longer
 * counts towards the limit, so that it blocks only its own controller. The number of running
 * reconciles can therefore exceed the limit. This class is thread-safe.
 */
public final class ConcurrencyLimit {

  private final ReconcileSemaphore semaphore;

  private ConcurrencyLimit(ReconcileSemaphore semaphore) {
    this.semaphore = semaphore;
  }

  /**
   * Creates a limit.
   *
   * @param number the maximum number of concurrent reconciles, which must be at least 1
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
