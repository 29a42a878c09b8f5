// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * The meters of one component. The component registers each meter individually, and {@link #close}
 * removes all of them. Components should keep a reference to each meter, because incrementing a
 * meter is fast, whereas looking it up is slow.
 *
 * <p>Meter names have the form that Prometheus uses. Labels are passed as alternating keys and
 * values. A registry holds only weak references to the suppliers of gauges, so this object keeps
 * the suppliers reachable. This class is thread-safe.
 */
public final class Meters implements AutoCloseable {

  private final MeterRegistry registry;

  @GuardedBy("this")
  private final List<Meter> meters = new ArrayList<>();

  /**
   * The suppliers of gauges and counters. This list keeps them reachable, because the registry
   * holds only weak references to them.
   */
  @GuardedBy("this")
  private final List<DoubleSupplier> asked = new ArrayList<>();

  @GuardedBy("this")
  private boolean closed;

  public Meters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Registers a counter. The counter is visible immediately, with the initial value 0. */
  public Counter counter(String name, String help, String... labels) {
    return kept(Counter.builder(name).description(help).tags(labels).register(registry));
  }

  /**
   * Registers a histogram of durations in seconds. The histogram is a timer, because Micrometer's
   * distribution summaries round values up to whole units before they select a bucket. Timers count
   * nanoseconds.
   */
  public Timer timer(String name, String help, Buckets buckets, String... labels) {
    return kept(
        Timer.builder(name)
            .description(help)
            .serviceLevelObjectives(buckets.durations(registry))
            .tags(labels)
            .register(registry));
  }

  public DistributionSummary sizes(String name, String help, String... labels) {
    return kept(
        DistributionSummary.builder(name)
            .description(help)
            .serviceLevelObjectives(Buckets.BYTES)
            .tags(labels)
            .register(registry));
  }

  /** Registers a gauge. The scraping thread reads the value from the supplier at each scrape. */
  public void gauge(String name, String help, DoubleSupplier level, String... labels) {
    keep(level);
    var unused =
        kept(
            Gauge.builder(name, level, DoubleSupplier::getAsDouble)
                .description(help)
                .tags(labels)
                .register(registry));
  }

  /** Registers a gauge that reports a duration in seconds. */
  public void seconds(String name, String help, DurationSupplier level, String... labels) {
    gauge(name, help, () -> level.get().toNanos() / 1e9, labels);
  }

  /**
   * Registers a counter whose value is stored elsewhere and read at each scrape. The value must not
   * decrease.
   */
  public void count(String name, String help, DoubleSupplier count, String... labels) {
    keep(count);
    var unused =
        kept(
            FunctionCounter.builder(name, count, DoubleSupplier::getAsDouble)
                .description(help)
                .tags(labels)
                .register(registry));
  }

  /** The value of a gauge in seconds. */
  @FunctionalInterface
  public interface DurationSupplier {

    Duration get();
  }

  private synchronized void keep(DoubleSupplier level) {
    if (!closed) {
      asked.add(level);
    }
  }

  /**
   * Stores a meter so that {@link #close} removes it from the registry. If this object has already
   * been closed, removes the meter immediately.
   */
  private <M extends Meter> M kept(M meter) {
    boolean late;
    synchronized (this) {
      late = closed;
      if (!late) {
        meters.add(meter);
      }
    }
    if (late) {
      registry.remove(meter);
    }
    return meter;
  }

  /** Removes the component's meters from the registry. Later increments are not reported. */
  @Override
  public void close() {
    List<Meter> ending;
    synchronized (this) {
      closed = true;
      ending = List.copyOf(meters);
      meters.clear();
      asked.clear();
    }
    ending.forEach(registry::remove);
  }
}
