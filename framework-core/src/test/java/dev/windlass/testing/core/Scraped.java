// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.core;

import dev.windlass.metrics.Scrape;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/** What Prometheus reads of a registry. */
public final class Scraped {

  private Scraped() {}

  /** All series with their values, as {@code name{label="value"} 1.0}. */
  public static List<String> lines(MeterRegistry registry) {
    return Scrape.of(registry)
        .orElseThrow()
        .text()
        .lines()
        .filter(l -> !l.startsWith("#"))
        .toList();
  }

  /** The value of a series; NaN if it is not there. */
  public static double value(MeterRegistry registry, String series) {
    return lines(registry).stream()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElse(Double.NaN);
  }
}
