// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The operator's own metrics, beside those that each manager has. They count, but are gauges: a
 * counter of Micrometer would end in {@code _total}, and dashboards know them without. Safe for use
 * by several threads.
 */
final class TenantMetrics {

  private final AtomicLong added;
  private final AtomicLong removed;

  /**
   * Begins to count.
   *
   * @param registry that of the manager, which serves them with its own
   */
  TenantMetrics(MeterRegistry registry) {
    added = count(registry, "tenant_controller_added_namespaces", "Number of added namespaces");
    removed =
        count(registry, "tenant_controller_removed_namespaces", "Number of removed namespaces");
  }

  private static AtomicLong count(MeterRegistry registry, String name, String description) {
    AtomicLong number = new AtomicLong();
    Gauge.builder(name, number, AtomicLong::get)
        .description(description)
        .strongReference(true)
        .register(registry);
    return number;
  }

  /** A Namespace was created. */
  void addedNamespace() {
    added.incrementAndGet();
  }

  /** A Namespace was deleted. */
  void removedNamespace() {
    removed.incrementAndGet();
  }
}
