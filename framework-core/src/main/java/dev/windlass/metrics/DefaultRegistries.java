// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;

/** Creates and inspects the default meter registries. */
final class DefaultRegistries {

  private static final String PROMETHEUS =
      "io.micrometer.prometheusmetrics.PrometheusMeterRegistry";

  private DefaultRegistries() {}

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
   * Returns whether a registry is a Prometheus registry. Returns false for a composite of several
   * registries.
   */
  static boolean isPrometheus(MeterRegistry registry) {
    return hasPrometheus() && PrometheusScrape.isOne(registry);
  }

  /**
   * Creates a Prometheus registry or an empty composite registry. A composite forwards measurements
   * to the registries that are added to it. An empty composite does not record anything.
   *
   * @param prometheus true for a Prometheus registry, false for a composite
   */
  static MeterRegistry create(boolean prometheus) {
    return prometheus ? PrometheusScrape.registry() : new CompositeMeterRegistry();
  }
}
