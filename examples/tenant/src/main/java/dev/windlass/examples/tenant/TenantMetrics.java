// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The operator's own metrics, in addition to those of the manager. They are counts, but are
 * registered as gauges: for a counter, Micrometer would append {@code _total} to the name, and
 * existing dashboards use names without this suffix. This class is thread-safe.
 */
final class TenantMetrics {

  private final AtomicLong added;
  private final AtomicLong removed;

  /**
   * Registers the metrics, which start at zero.
   *
   * @param registry the manager's registry, whose metrics the manager's metrics endpoint serves
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
