// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Measures the resources that this process uses. */
final class ProcessUse {

  private ProcessUse() {}

  /**
   * Returns the CPU time that all threads have used since the start, including the threads of the
   * JVM.
   */
  static long cpuNanos() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime();
  }

  /** Runs two garbage collections and returns the size of the live heap. */
  static long liveHeap() {
    System.gc();
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Returns the peak resident memory of the process. */
  static long peakResidentBytes() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/proc/self/status"));
    for (String line : lines) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    throw new IOException("no VmHWM in /proc/self/status; this runs on Linux only");
  }
}
