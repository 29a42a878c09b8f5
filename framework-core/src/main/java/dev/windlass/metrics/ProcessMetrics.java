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
 * What the process takes from its machine, under the names that every Prometheus client gives it
 * ({@code process_cpu_seconds_total}, {@code process_resident_memory_bytes}, ...), and what the JVM
 * does with it, under Micrometer's ({@code jvm_memory_used_bytes}, {@code jvm_gc_pause_seconds},
 * ...).
 *
 * <p>A manager's own registry has them. One that is handed in has them only if you ask, because
 * whoever made it may have bound the JVM already: {@code new ProcessMetrics().bindTo(registry)}.
 * Figures that the system does not tell are left out, such as the resident memory outside of Linux.
 */
public final class ProcessMetrics implements MeterBinder, AutoCloseable {

  private static final Path STATUS = Path.of("/proc/self/status");

  private final JvmGcMetrics collections = new JvmGcMetrics();

  /** Nothing is bound yet. */
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

  /** The line {@code VmRSS: 204800 kB} as a number; NaN, which is no value, if there is none. */
  private static double kibibytes(String field) {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        String[] words = line.split("\\s+", 3);
        if (words[0].equals(field + ":")) {
          return Double.parseDouble(words[1]);
        }
      }
    } catch (IOException | NumberFormatException e) {
      // The next scrape asks again.
    }
    return Double.NaN;
  }

  /** Stops listening to garbage collections. The meters stay where they were bound. */
  @Override
  public void close() {
    collections.close();
  }
}
