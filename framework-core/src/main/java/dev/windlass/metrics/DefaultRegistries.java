// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;

/** The default registries for meters. */
final class DefaultRegistries {

  private static final String PROMETHEUS =
      "io.micrometer.prometheusmetrics.PrometheusMeterRegistry";

  private DefaultRegistries() {}

  /** Reports whether {@code micrometer-registry-prometheus} is on the class path. */
  static boolean hasPrometheus() {
    return isThere(PROMETHEUS, DefaultRegistries.class.getClassLoader());
  }

  static boolean isThere(String name, ClassLoader loader) {
    try {
      Class.forName(name, false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /**
   * Reports whether only Prometheus reads this registry. Returns false for a composite of several
   * kinds.
   */
  static boolean isPrometheus(MeterRegistry registry) {
    return hasPrometheus() && PrometheusScrape.isOne(registry);
  }

  /**
   * Creates a registry: a Prometheus registry if available, otherwise a composite, which forwards
   * to the registries that are added to it. While it has none, counting has no effect.
   */
  static MeterRegistry create(boolean prometheus) {
    return prometheus ? PrometheusScrape.registry() : new CompositeMeterRegistry();
  }
}
