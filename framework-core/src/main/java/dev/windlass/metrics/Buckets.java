// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/** The upper bounds of histogram buckets. They are the same as in controller-runtime. */
public enum Buckets {
  /** Bounds from 5 ms to 60 s, for {@code controller_runtime_reconcile_time_seconds}. */
  RECONCILE(
      millis(
          5, 10, 25, 50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 600, 700, 800, 900, 1_000,
          1_250, 1_500, 1_750, 2_000, 2_500, 3_000, 3_500, 4_000, 4_500, 5_000, 6_000, 7_000, 8_000,
          9_000, 10_000, 15_000, 20_000, 25_000, 30_000, 40_000, 50_000, 60_000)),
  /** Bounds from 10 ns to 1000 s, each ten times the previous one, for work queue durations. */
  QUEUE(LongStream.iterate(10, nanos -> nanos * 10).limit(12)),
  /** Bounds from 5 ms to 60 s, for {@code rest_client_request_duration_seconds}. */
  REQUEST(millis(5, 25, 100, 250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000));

  /** Bounds from 64 B to 16 MiB, for the sizes of requests and responses. */
  static final double[] BYTES = {
    64, 256, 512, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216
  };

  @SuppressWarnings("ImmutableEnumChecker") // Stream.toList returns immutable lists
  private final List<Duration> bounds;

  Buckets(LongStream nanos) {
    this.bounds = nanos.mapToObj(Duration::ofNanos).toList();
  }

  private static LongStream millis(long... bounds) {
    return LongStream.of(bounds).map(bound -> bound * 1_000_000);
  }

  /**
   * Returns the bounds that the given registry can tell apart. Only the Prometheus registry exposes
   * bounds with full precision. Other registries round bounds to six decimal places of a second,
   * which turns both 10 ns and 100 ns into 0. For these registries, the result omits bounds below 1
   * microsecond.
   */
  Duration[] durations(MeterRegistry registry) {
    Duration least =
        DefaultRegistries.isPrometheus(registry) ? Duration.ZERO : Duration.ofNanos(1_000);
    return bounds.stream().filter(bound -> bound.compareTo(least) >= 0).toArray(Duration[]::new);
  }
}
