// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Metrics about the resources that the process uses, and about the state of the JVM. The resource
 * metrics have the names that all Prometheus clients use, such as {@code process_cpu_seconds_total}
 * and {@code process_resident_memory_bytes}. The JVM metrics have Micrometer's names, such as
 * {@code jvm_memory_used_bytes} and {@code jvm_gc_pause_seconds}.
 *
 * <p>If a manager creates its registry, the registry includes these metrics. If you pass a registry
 * to a manager, bind them yourself with {@code new ProcessMetrics().bindTo(registry)}. The manager
 * does not do so, because the JVM metrics may already be bound to that registry. This class omits
 * metrics that are not available on the operating system, such as the resident memory on systems
 * other than Linux.
 */
public final class ProcessMetrics implements MeterBinder, AutoCloseable {

  private static final Path STATUS = Path.of("/proc/self/status");

  private final JvmGcMetrics collections = new JvmGcMetrics();

  public ProcessMetrics() {}

  @Override
  public void bindTo(MeterRegistry registry) {
    bindTimes(registry);
    bindFiles(registry);
    bindMemory(registry, "process_resident_memory_bytes", "VmRSS", "Memory held by the process");
    bindMemory(registry, "process_virtual_memory_bytes", "VmSize", "Memory mapped by the process");
    new ClassLoaderMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    collections.bindTo(registry);
  }

  private static void bindTimes(MeterRegistry registry) {
    RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
    Gauge.builder("process_start_time_seconds", runtime, r -> r.getStartTime() / 1e3)
        .description("When the process started, in seconds since 1970")
        .register(registry);
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      FunctionCounter.builder("process_cpu_seconds_total", system, s -> s.getProcessCpuTime() / 1e9)
          .description("Time that the process has spent on processors")
          .register(registry);
    }
  }

  private static void bindFiles(MeterRegistry registry) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
      Gauge.builder(
              "process_open_fds", system, UnixOperatingSystemMXBean::getOpenFileDescriptorCount)
          .description("Open files and sockets")
          .register(registry);
      Gauge.builder("process_max_fds", system, UnixOperatingSystemMXBean::getMaxFileDescriptorCount)
          .description("How many files and sockets may be open")
          .register(registry);
    }
  }

  private static void bindMemory(MeterRegistry registry, String name, String field, String help) {
    if (Files.isReadable(STATUS)) {
      Gauge.builder(name, () -> kibibytes(field) * 1_024).description(help).register(registry);
    }
  }

  /**
   * Returns the number of kibibytes in the given field of the process status, as in {@code VmRSS:
   * 204800 kB}. Returns NaN, which means that there is no value, if the field is missing or cannot
   * be read.
   */
  private static double kibibytes(String field) {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        String[] words = line.split("\\s+", 3);
        if (words[0].equals(field + ":")) {
          return Double.parseDouble(words[1]);
        }
      }
    } catch (IOException | NumberFormatException e) {
      // The next scrape retries.
    }
    return Double.NaN;
  }

  /**
   * Stops listening to garbage collections. The meters remain in the registries to which they are
   * bound.
   */
  @Override
  public void close() {
    collections.close();
  }
}
