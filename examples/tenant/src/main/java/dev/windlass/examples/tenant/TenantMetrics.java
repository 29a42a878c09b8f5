// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The operator's own metrics, which it registers in addition to those of the manager. The
 * operator's metrics are counts, but it registers them as gauges, because a Micrometer counter
 * would append {@code _total} to the names that existing dashboards use. This class is thread-safe.
 */
final class TenantMetrics {

  private final AtomicLong added;
  private final AtomicLong removed;

  /**
   * Registers the metrics with the value zero.
   *
   * @param registry the manager's registry, which is served with the manager's metrics
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

  /** Counts a created Namespace. */
  void addedNamespace() {
    added.incrementAndGet();
  }

  /** Counts a deleted Namespace. */
  void removedNamespace() {
    removed.incrementAndGet();
  }
}
