// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import java.util.concurrent.atomic.AtomicLong;

/** Counts what the operator does. Safe for use by several threads. */
final class TenantMetrics {

  private final AtomicLong added = new AtomicLong();
  private final AtomicLong removed = new AtomicLong();

  /** A Namespace was created. */
  void addedNamespace() {
    added.incrementAndGet();
  }

  /** A Namespace was deleted. */
  void removedNamespace() {
    removed.incrementAndGet();
  }

  long added() {
    return added.get();
  }

  long removed() {
    return removed.get();
  }
}
