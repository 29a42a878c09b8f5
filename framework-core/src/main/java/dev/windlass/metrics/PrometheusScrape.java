// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Optional;

/**
 * Provides access to Prometheus's classes, which may be missing. No other class refers to them.
 * Load this class only if {@link DefaultRegistries#hasPrometheus()} returns true.
 */
final class PrometheusScrape implements Scrape {

  private final PrometheusMeterRegistry registry;

  private PrometheusScrape(PrometheusMeterRegistry registry) {
    this.registry = registry;
  }

  static MeterRegistry registry() {
    return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  }

  static boolean isOne(MeterRegistry registry) {
    return registry instanceof PrometheusMeterRegistry;
  }

  static Optional<Scrape> of(MeterRegistry registry) {
    if (registry instanceof PrometheusMeterRegistry prometheus) {
      return Optional.of(new PrometheusScrape(prometheus));
    }
    if (registry instanceof CompositeMeterRegistry composite) {
      return composite.getRegistries().stream()
          .flatMap(part -> PrometheusScrape.of(part).stream())
          .findFirst();
    }
    return Optional.empty();
  }

  @Override
  public String text() {
    return registry.scrape(CONTENT_TYPE);
  }
}
