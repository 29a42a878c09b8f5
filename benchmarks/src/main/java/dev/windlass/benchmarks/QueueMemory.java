// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.workqueue.WorkQueue;
import dev.windlass.workqueue.WorkQueueOptions;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The program that {@link QueueReport} runs in a separate JVM to measure memory. It measures the
 * bytes allocated when a key that already waits is added again, the memory held by a delayed key,
 * and how the time to drain delayed keys grows with their number.
 */
final class QueueMemory {

  private static final int ADDS = 10_000_000;
  private static final int SECONDS = 1_000;

  private QueueMemory() {}

  /**
   * A scheduler whose time the program sets. Its alarms never fire, so the program polls the queue
   * for due keys.
   */
  private static final class SetTime implements Scheduler {
    private volatile long now;

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public Alarm schedule(Runnable task, Duration delay) {
      return () -> {};
    }
  }

  /** The cost of adding, holding and draining a number of delayed keys. */
  private record Delays(double bytesPerKey, double addMillis, double drainMillis) {}

  /**
   * Runs one measurement.
   *
   * @param arguments the number of rounds
   */
  public static void main(String[] arguments) {
    int rounds = Integer.parseInt(arguments[0]);
    System.out.printf(
        "%nAdding a key that waits already allocates %.2f bytes; target 0.%n%n", waitingAdd());
    System.out.println(
        "| delayed keys | bytes per key, without the key | ms to add | ms to drain | ns / (n log n) |");
    System.out.println("|---|---|---|---|---|");
    delays(100_000); // warms up the code
    for (int keys : new int[] {10_000, 100_000, 1_000_000}) {
      List<Delays> results = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        results.add(delays(keys));
      }
      results.sort((a, b) -> Double.compare(a.drainMillis(), b.drainMillis()));
      Delays median = results.get(rounds / 2);
      System.out.printf(
          "| %,d | %.0f | %.1f | %.1f | %.1f |%n",
          keys,
          median.bytesPerKey(),
          median.addMillis(),
          median.drainMillis(),
          median.drainMillis() * 1e6 / (keys * Math.log(keys) / Math.log(2)));
    }
    System.exit(0);
  }

  /**
   * Returns the bytes allocated when a ready key is added again, measured in the second of two
   * rounds.
   */
  private static double waitingAdd() {
    WorkQueue<String> queue = WorkQueue.create(WorkQueueOptions.named("bench"));
    queue.add("key");
    double bytes = 0;
    for (int round = 0; round < 2; round++) {
      long before = allocated();
      for (int i = 0; i < ADDS; i++) {
        queue.add("key");
      }
      bytes = (double) (allocated() - before) / ADDS;
    }
    return bytes;
  }

  private static Delays delays(int keys) {
    SetTime time = new SetTime();
    WorkQueue<Integer> queue =
        WorkQueue.create(WorkQueueOptions.<Integer>named("bench").withScheduler(time));
    Integer[] names = new Integer[keys];
    for (int i = 0; i < keys; i++) {
      names[i] = i;
    }
    Random random = new Random(keys);
    long heapBefore = heap();
    long start = System.nanoTime();
    for (Integer name : names) {
      queue.addAfter(name, Duration.ofNanos(1 + (long) (random.nextDouble() * SECONDS * 1e9)));
    }
    double added = (System.nanoTime() - start) / 1e6;
    long held = heap() - heapBefore;
    start = System.nanoTime();
    time.now = Duration.ofSeconds(SECONDS + 1).toNanos();
    int drained = 0;
    for (var next = queue.poll(); next.isPresent(); next = queue.poll()) {
      next.get().close();
      drained++;
    }
    double drain = (System.nanoTime() - start) / 1e6;
    if (drained != keys) {
      throw new IllegalStateException(drained + " keys instead of " + keys);
    }
    return new Delays((double) held / keys, added, drain);
  }

  private static long heap() {
    System.gc();
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
