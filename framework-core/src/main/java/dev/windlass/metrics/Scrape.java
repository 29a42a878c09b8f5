// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;

/**
 * Provides the current values of all meters in a registry, in the Prometheus text format.
 * Implementations are thread-safe.
 */
@FunctionalInterface
public interface Scrape {

  /** The media type of the text that {@link #text} returns, for the {@code Content-Type} header. */
  String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** Returns the current values of all meters in version 0.0.4 of the Prometheus text format. */
  String text();

  /**
   * Returns a scrape of the given registry. The result is empty if the registry is neither a
   * Prometheus registry nor a composite that contains one. This method can be called even if the
   * classes of {@code micrometer-registry-prometheus} are missing.
   */
  static Optional<Scrape> of(MeterRegistry registry) {
    return DefaultRegistries.hasPrometheus() ? PrometheusScrape.of(registry) : Optional.empty();
  }
}
