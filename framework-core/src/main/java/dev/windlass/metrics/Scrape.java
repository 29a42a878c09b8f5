// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;

/**
 * What Prometheus reads: all meters of a registry as text. May be called by any thread, also by
 * several at once; each call asks all meters anew.
 */
@FunctionalInterface
public interface Scrape {

  /** The {@code Content-Type} of what {@link #text} returns. */
  String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** All meters, in version 0.0.4 of Prometheus's text format. */
  String text();

  /**
   * The scrape of a registry; empty if it is none of Prometheus, nor composed of one. Does not need
   * Prometheus's classes if they are not there.
   */
  static Optional<Scrape> of(MeterRegistry registry) {
    return Registries.hasPrometheus() ? PrometheusScrape.of(registry) : Optional.empty();
  }
}
