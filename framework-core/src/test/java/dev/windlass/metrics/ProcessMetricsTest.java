// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Scraped;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

final class ProcessMetricsTest {

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
