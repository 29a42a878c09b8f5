// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Scraped;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

final class MetersTest {

  private final MeterRegistry registry = DefaultRegistries.create(true);

  private final Meters meters = new Meters(registry);

  private List<String> buckets(String name) {
    List<String> bounds = new ArrayList<>();
    for (String line : Scraped.lines(registry)) {
      if (line.startsWith(name + "_bucket")) {
        bounds.add(line.replaceAll(".*le=\"([^\"]*)\".*", "$1"));
      }
    }
    return bounds;
  }

  @Test
  void countsTensOfNanosecondsInTheirBuckets() {
    Timer timer = meters.timer("wait_seconds", "", Buckets.QUEUE, "name", "foo");
    timer.record(Duration.ZERO);
    timer.record(Duration.ofNanos(10));
    timer.record(Duration.ofNanos(11));
    timer.record(Duration.ofMillis(300));
    timer.record(Duration.ofSeconds(2_000));
    assertThat(buckets("wait_seconds"))
        .containsExactly(
            "1.0E-8", "1.0E-7", "1.0E-6", "1.0E-5", "1.0E-4", "0.001", "0.01", "0.1", "1.0", "10.0",
            "100.0", "1000.0", "+Inf");
    assertThat(Scraped.lines(registry))
        .contains(
            "wait_seconds_bucket{name=\"foo\",le=\"1.0E-8\"} 2",
            "wait_seconds_bucket{name=\"foo\",le=\"1.0E-7\"} 3",
            "wait_seconds_bucket{name=\"foo\",le=\"0.1\"} 3",
            "wait_seconds_bucket{name=\"foo\",le=\"1.0\"} 4",
            "wait_seconds_bucket{name=\"foo\",le=\"1000.0\"} 4",
            "wait_seconds_bucket{name=\"foo\",le=\"+Inf\"} 5");
  }

  /** Dashboards made for controller-runtime need the same buckets. */
  @Test
  void hasTheBucketsOfControllerRuntime() {
    meters.timer("reconcile_seconds", "", Buckets.RECONCILE);
    meters.timer("request_seconds", "", Buckets.REQUEST);
    meters.sizes("size_bytes", "").record(65.0);
    assertThat(String.join(" ", buckets("reconcile_seconds")))
        .isEqualTo(
            "0.005 0.01 0.025 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.6 0.7 0.8 0.9 1.0 1.25"
                + " 1.5 1.75 2.0 2.5 3.0 3.5 4.0 4.5 5.0 6.0 7.0 8.0 9.0 10.0 15.0 20.0 25.0 30.0"
                + " 40.0 50.0 60.0 +Inf");
    assertThat(String.join(" ", buckets("request_seconds")))
        .isEqualTo("0.005 0.025 0.1 0.25 0.5 1.0 2.0 4.0 8.0 15.0 30.0 60.0 +Inf");
    assertThat(String.join(" ", buckets("size_bytes")))
        .isEqualTo(
            "64.0 256.0 512.0 1024.0 4096.0 16384.0 65536.0 262144.0 1048576.0 4194304.0"
                + " 1.6777216E7 +Inf");
    assertThat(Scraped.lines(registry))
        .contains("size_bytes_bucket{le=\"64.0\"} 0", "size_bytes_bucket{le=\"256.0\"} 1");
  }

  /** Two bounds that a registry writes as the same number are one gauge, and a WARN. */
  @Test
  void leavesOutBoundsThatOtherRegistriesCantTellApart() {
    MeterRegistry simple = new SimpleMeterRegistry();
    Timer timer = new Meters(simple).timer("wait_seconds", "", Buckets.QUEUE);
    timer.record(Duration.ofNanos(1));
    assertThat(simple.get("wait_seconds.histogram").gauges())
        .extracting(gauge -> gauge.getId().getTag("le") + " holds " + gauge.value())
        .containsExactlyInAnyOrder(
            "0.000001 holds 1.0",
            "0.00001 holds 1.0",
            "0.0001 holds 1.0",
            "0.001 holds 1.0",
            "0.01 holds 1.0",
            "0.1 holds 1.0",
            "1 holds 1.0",
            "10 holds 1.0",
            "100 holds 1.0",
            "1000 holds 1.0");
  }

  @Test
  void showsACounterBeforeItHasCounted() {
    meters.counter("things_total", "", "kind", "a");
    assertThat(Scraped.lines(registry)).containsExactly("things_total{kind=\"a\"} 0.0");
  }

  @Test
  void asksForLevelsAtEachScrape() {
    long[] level = {1};
    meters.gauge("level", "", () -> level[0]);
    meters.count("told_total", "", () -> level[0]);
    meters.seconds("age_seconds", "", () -> Duration.ofMillis(1_500));
    level[0] = 7;
    System.gc(); // what gauges ask must not be collected
    assertThat(Scraped.lines(registry))
        .containsExactlyInAnyOrder("level 7.0", "told_total 7.0", "age_seconds 1.5");
  }

  @Test
  void removesItsMetersAndNoOthers() {
    registry.counter("mine_total").increment();
    meters.counter("its_total", "");
    meters.gauge("its", "", () -> 1);
    meters.timer("its_seconds", "", Buckets.REQUEST);
    meters.close();
    assertThat(Scraped.lines(registry)).containsExactly("mine_total 1.0");
  }

  @Test
  void findsTheTextOfAPrometheusRegistryAndOfNoOther() {
    CompositeMeterRegistry composite = new CompositeMeterRegistry();
    assertThat(Scrape.of(composite)).isEmpty();
    composite.add(new SimpleMeterRegistry());
    composite.add(registry);
    composite.counter("things_total").increment();
    assertThat(Scrape.of(composite).orElseThrow().text())
        .contains("# TYPE things_total counter", "things_total 1.0");
    assertThat(Scrape.of(new SimpleMeterRegistry())).isEmpty();
  }

  @Test
  void countsForALaterRegistryWithoutPrometheus() {
    assertThat(
            DefaultRegistries.isThere(
                "nowhere.PrometheusMeterRegistry", getClass().getClassLoader()))
        .isFalse();
    assertThat(DefaultRegistries.hasPrometheus()).isTrue();
    MeterRegistry without = DefaultRegistries.create(false);
    var counter = new Meters(without).counter("things_total", "");
    counter.increment();
    ((CompositeMeterRegistry) without).add(registry);
    counter.increment();
    assertThat(Scraped.lines(registry)).containsExactly("things_total 1.0");
  }

  private static double value(MeterRegistry registry, String name) {
    List<Double> values =
        Scraped.lines(registry).stream()
            .filter(line -> line.matches(name + "(\\{.*})? .*"))
            .map(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
            .toList();
    assertThat(values).as(name).isNotEmpty();
    return values.stream().mapToDouble(Double::doubleValue).sum();
  }

  /** What kubebuilder's "controller-resources-metrics" and every alert on restarts asks for. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void areInTheRegistryOfAManager() {
    try (ManagerMetrics metrics =
        ManagerMetrics.own(ObservationRegistry.NOOP, false, new ManualScheduler())) {
      MeterRegistry registry = metrics.registry();
      double heap = value(registry, "jvm_memory_used_bytes");
      double resident = value(registry, "process_resident_memory_bytes");
      assertThat(heap).isGreaterThan(1 << 20);
      assertThat(resident).isGreaterThan(1 << 20);
      assertThat(value(registry, "process_virtual_memory_bytes")).isGreaterThan(resident);
      assertThat(value(registry, "process_cpu_seconds_total")).isBetween(0.01, 1e6);
      assertThat(value(registry, "process_start_time_seconds"))
          .isEqualTo(ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3);
      assertThat(value(registry, "process_open_fds"))
          .isBetween(3.0, value(registry, "process_max_fds"));
      assertThat(value(registry, "jvm_threads_live_threads")).isGreaterThan(1);
    }
  }

  /** Somebody else's registry has what that somebody has bound. */
  @Test
  void areNotAddedToARegistryOfTheProgram() {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (ManagerMetrics metrics =
        ManagerMetrics.on(registry, ObservationRegistry.NOOP, false, new ManualScheduler())) {
      assertThat(metrics.registry().getMeters()).isEmpty();
    }
    try (ProcessMetrics process = new ProcessMetrics()) {
      process.bindTo(registry);
      assertThat(registry.get("process_cpu_seconds_total").functionCounter().count()).isPositive();
    }
  }
}
