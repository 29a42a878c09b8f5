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
 * The meters of one component: registered when the component asks for them, and removed together
 * when it is over. Look up each meter once and keep it; looking up is slow, counting is not.
 *
 * <p>Names are given as Prometheus shows them, and labels as alternating keys and values. The
 * registry does not keep alive what gauges ask; this object does. Thread safe.
 */
public final class Meters implements AutoCloseable {

  private final MeterRegistry registry;

  @GuardedBy("this")
  private final List<Meter> meters = new ArrayList<>();

  /** What gauges ask, which the registry refers to weakly. */
  @GuardedBy("this")
  private final List<DoubleSupplier> asked = new ArrayList<>();

  @GuardedBy("this")
  private boolean closed;

  /** No meter yet. */
  public Meters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** A counter, which is shown from now on, as 0 to begin with. */
  public Counter counter(String name, String help, String... labels) {
    return kept(Counter.builder(name).description(help).tags(labels).register(registry));
  }

  /**
   * A histogram of durations in seconds. It is a timer because Micrometer's summaries round up to
   * whole units before they look for the bucket; timers count nanoseconds.
   */
  public Timer timer(String name, String help, Buckets buckets, String... labels) {
    return kept(
        Timer.builder(name)
            .description(help)
            .serviceLevelObjectives(buckets.durations(registry))
            .tags(labels)
            .register(registry));
  }

  /** A histogram of sizes in bytes. */
  public DistributionSummary sizes(String name, String help, String... labels) {
    return kept(
        DistributionSummary.builder(name)
            .description(help)
            .serviceLevelObjectives(Buckets.BYTES)
            .tags(labels)
            .register(registry));
  }

  /** A level, which is asked for at each scrape, on the thread that scrapes. */
  public void gauge(String name, String help, DoubleSupplier level, String... labels) {
    keep(level);
    var unused =
        kept(
            Gauge.builder(name, level, DoubleSupplier::getAsDouble)
                .description(help)
                .tags(labels)
                .register(registry));
  }

  /** A level that is a time. */
  public void seconds(String name, String help, DurationSupplier level, String... labels) {
    gauge(name, help, () -> level.get().toNanos() / 1e9, labels);
  }

  /** A count that somebody else keeps, asked for at each scrape; it must not fall. */
  public void count(String name, String help, DoubleSupplier count, String... labels) {
    keep(count);
    var unused =
        kept(
            FunctionCounter.builder(name, count, DoubleSupplier::getAsDouble)
                .description(help)
                .tags(labels)
                .register(registry));
  }

  /** Tells a time when it is asked. */
  @FunctionalInterface
  public interface DurationSupplier {

    /** The time. */
    Duration get();
  }

  private synchronized void keep(DoubleSupplier level) {
    if (!closed) {
      asked.add(level);
    }
  }

  /** What comes after the end, because somebody was just about to, is not left behind. */
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

  /** Removes them from the registry. Counting goes on without harm, and is not shown. */
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
