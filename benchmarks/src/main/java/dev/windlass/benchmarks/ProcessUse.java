// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What this process has used of the machine. */
final class ProcessUse {

  private ProcessUse() {}

  /** Of the processor, by all threads since the start, those of the JVM included. */
  static long cpuNanos() {
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime();
  }

  /** What lives in the heap after two collections. */
  static long liveHeap() {
    System.gc();
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** The most that the process ever held in memory. */
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
