// SPDX-License-Identifier: Apache-2.0
package dev.windlass.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The record of one run of a peer program. It counts reconciles, records distinct keys and
 * latencies, prints the events and answers the driver's commands. All Java peers use it. This class
 * is thread-safe.
 */
final class RunRecord {

  private static final PrintStream OUT =
      new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private final int expected;
  private final Set<String> keys = new HashSet<>();
  private final Map<String, Long> lastSent = new HashMap<>();
  private long[] latencies = new long[1024];
  private int count;
  private long reconciles;
  private long latest;
  private boolean done;
  private volatile boolean waits;

  private RunRecord(int expected) {
    this.expected = expected;
  }

  /**
   * Prints that the program has started. Call this method first in {@code main}. Afterwards, an
   * exception that leaves {@code main} ends the program.
   */
  static RunRecord started(int expected) {
    Thread.currentThread()
        .setUncaughtExceptionHandler(
            (thread, failure) -> {
              failure.printStackTrace();
              Runtime.getRuntime().halt(1);
            });
    OUT.printf("{\"event\":\"started\",\"micros\":%d}%n", micros());
    return new RunRecord(expected);
  }

  private static long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  /**
   * Counts a reconcile. If {@code sentAt} is newer than the last value for the object, also records
   * the latency.
   */
  synchronized void begin(String namespace, String name, long sentAt) {
    long now = micros();
    reconciles++;
    latest = now;
    if (sentAt > 0) {
      Long last = lastSent.get(namespace + '/' + name);
      if (last == null || sentAt > last) {
        lastSent.put(namespace + '/' + name, sentAt);
        if (count == latencies.length) {
          latencies = Arrays.copyOf(latencies, 2 * count);
        }
        latencies[count++] = now - sentAt;
      }
    }
  }

  /**
   * Records that an object has been reconciled. After the last expected object, prints the event
   * {@code done}.
   */
  synchronized void succeed(String namespace, String name) {
    if (done) {
      return;
    }
    keys.add(namespace + '/' + name);
    if (keys.size() >= expected) {
      done = true;
      OUT.printf("{\"event\":\"done\",\"micros\":%d,\"reconciles\":%d}%n", micros(), reconciles);
    }
  }

  /**
   * Starts a daemon thread that answers commands. It exits the process at the command {@code stop}
   * or at the end of the input.
   */
  void answerCommands() {
    answerCommands(() -> {});
  }

  /**
   * Behaves like {@link #answerCommands()}.
   *
   * @param reconcileAll requests a reconcile of each object, at the command {@code all}
   */
  void answerCommands(Runnable reconcileAll) {
    Thread thread = new Thread(() -> readCommands(reconcileAll), "commands");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns whether there has been the command {@code all}, after which reconciles wait. */
  boolean waits() {
    return waits;
  }

  private void readCommands(Runnable reconcileAll) {
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        switch (line) {
          case "stats" -> stats();
          case "reset" -> reset();
          case "all" -> {
            waits = true;
            reset();
            reconcileAll.run();
          }
          case "count" -> count();
          default -> Runtime.getRuntime().halt(0);
        }
      }
    } catch (IOException e) {
      e.printStackTrace();
    }
    Runtime.getRuntime().halt(0);
  }

  private synchronized void reset() {
    reconciles = 0;
    count = 0;
    OUT.println("{\"event\":\"reset\"}");
  }

  private synchronized void count() {
    OUT.printf("{\"reconciles\":%d,\"latest\":%d}%n", reconciles, latest);
  }

  private void stats() {
    System.gc();
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    int classes = ManagementFactory.getClassLoadingMXBean().getLoadedClassCount();
    synchronized (this) {
      long[] sorted = Arrays.copyOf(latencies, count);
      Arrays.sort(sorted);
      OUT.printf(
          "{\"reconciles\":%d,\"heapBytes\":%d,\"classes\":%d,"
              + "\"latencies\":{\"count\":%d,\"p50\":%d,\"p99\":%d,\"max\":%d}}%n",
          reconciles, heap, classes, count, rank(sorted, 0.5), rank(sorted, 0.99), rank(sorted, 1));
    }
  }

  private static long rank(long[] sorted, double share) {
    return sorted.length == 0 ? 0 : sorted[(int) Math.round(share * (sorted.length - 1))];
  }
}
