// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;

/**
 * The text of all meters of a registry, in the form that Prometheus reads. Any number of threads
 * can call the method concurrently. Each call reads all meters again.
 */
@FunctionalInterface
public interface Scrape {

  /** The {@code Content-Type} of the text that {@link #text} returns. */
  String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** Returns all meters in version 0.0.4 of the Prometheus text format. */
  String text();

  /**
   * Returns the scrape of a registry, or empty if the registry is neither a Prometheus registry nor
   * a composite that contains one. This method works even if Prometheus's classes are missing.
   */
  static Optional<Scrape> of(MeterRegistry registry) {
    return DefaultRegistries.hasPrometheus() ? PrometheusScrape.of(registry) : Optional.empty();
  }
}
