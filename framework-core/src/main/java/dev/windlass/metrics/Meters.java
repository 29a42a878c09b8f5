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
 * The meters of one component. They are registered when the component asks for them, and removed
 * together on close. Look up each meter once and keep it: the lookup is slow, counting is not.
 *
 * <p>Names are given in the form that Prometheus shows, and labels as alternating keys and values.
 * The registry refers to the suppliers of gauges weakly; this object keeps them alive. Thread safe.
 */
public final class Meters implements AutoCloseable {

  private final MeterRegistry registry;

  @GuardedBy("this")
  private final List<Meter> meters = new ArrayList<>();

  /** The suppliers behind gauges and counts, which the registry refers to weakly. */
  @GuardedBy("this")
  private final List<DoubleSupplier> asked = new ArrayList<>();

  @GuardedBy("this")
  private boolean closed;

  /** Creates an object without meters. */
  public Meters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Registers a counter. It is shown immediately, initially as 0. */
  public Counter counter(String name, String help, String... labels) {
    return kept(Counter.builder(name).description(help).tags(labels).register(registry));
  }

  /**
   * Registers a histogram of durations in seconds. It is a timer because Micrometer's summaries
   * round up to whole units before they select the bucket; timers count nanoseconds.
   */
  public Timer timer(String name, String help, Buckets buckets, String... labels) {
    return kept(
        Timer.builder(name)
            .description(help)
            .serviceLevelObjectives(buckets.durations(registry))
            .tags(labels)
            .register(registry));
  }

  /** Registers a histogram of sizes in bytes. */
  public DistributionSummary sizes(String name, String help, String... labels) {
    return kept(
        DistributionSummary.builder(name)
            .description(help)
            .serviceLevelObjectives(Buckets.BYTES)
            .tags(labels)
            .register(registry));
  }

  /** Registers a gauge, which is read at each scrape, on the thread that scrapes. */
  public void gauge(String name, String help, DoubleSupplier level, String... labels) {
    keep(level);
    var unused =
        kept(
            Gauge.builder(name, level, DoubleSupplier::getAsDouble)
                .description(help)
                .tags(labels)
                .register(registry));
  }

  /** Registers a gauge of a duration, in seconds. */
  public void seconds(String name, String help, DurationSupplier level, String... labels) {
    gauge(name, help, () -> level.get().toNanos() / 1e9, labels);
  }

  /**
   * Registers a counter whose value is kept elsewhere and read at each scrape. The value must not
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

  /** Supplies a duration. */
  @FunctionalInterface
  public interface DurationSupplier {

    /** Returns the duration. */
    Duration get();
  }

  private synchronized void keep(DoubleSupplier level) {
    if (!closed) {
      asked.add(level);
    }
  }

  /**
   * Keeps a meter until close. A meter that is registered after close, by a caller that races with
   * it, is removed at once.
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

  /** Removes all meters from the registry. Further counting is harmless, and is not shown. */
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
