// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;

/** Where meters go if nobody says where. */
final class Registries {

  private static final String PROMETHEUS =
      "io.micrometer.prometheusmetrics.PrometheusMeterRegistry";

  private Registries() {}

  /** Whether {@code micrometer-registry-prometheus} is on the class path. */
  static boolean hasPrometheus() {
    return isThere(PROMETHEUS, Registries.class.getClassLoader());
  }

  static boolean isThere(String name, ClassLoader loader) {
    try {
      Class.forName(name, false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** Whether nothing but Prometheus reads this registry; not if it is composed of several kinds. */
  static boolean isPrometheus(MeterRegistry registry) {
    return hasPrometheus() && PrometheusScrape.isOne(registry);
  }

  /**
   * A new registry: one of Prometheus if that is there. Else one that passes everything on to the
   * registries that somebody adds to it; while there are none, counting does nothing.
   */
  static MeterRegistry create(boolean prometheus) {
    return prometheus ? PrometheusScrape.registry() : new CompositeMeterRegistry();
  }
}
