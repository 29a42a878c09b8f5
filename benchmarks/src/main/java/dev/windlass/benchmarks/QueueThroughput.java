// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The program that {@link QueueReport} runs in a separate JVM to measure the time to add a key,
 * take it and mark it as done. Rounds alternate between the queues of Windlass and client-java,
 * after one warm-up round of each.
 */
final class QueueThroughput {

  private static final int KEYS = 1_000_000;
  private static final double TARGET = 1;

  private QueueThroughput() {}

  /** The order in which each thread performs its operations. */
  private enum Pattern {
    ONE_BY_ONE("one key after the other"),
    ALL_THEN_ALL("all keys wait, then all are worked on");

    private final String text;

    Pattern(String text) {
      this.text = text;
    }
  }

  /**
   * Runs one measurement.
   *
   * @param arguments the number of rounds
   */
  public static void main(String[] arguments) throws Exception {
    int rounds = Integer.parseInt(arguments[0]);
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      keys.add(BenchObjects.key(i).toString());
    }
    System.out.printf("%,d distinct keys, each added, taken and closed:%n%n", KEYS);
    System.out.println("| | threads | Windlass ns | client-java ns | times as fast | target | |");
    System.out.println("|---|---|---|---|---|---|---|");
    for (Pattern pattern : Pattern.values()) {
      for (int threads = 1; threads <= 2; threads++) {
        compare(keys, pattern, threads, rounds);
      }
    }
    System.out.printf(
        "%nThe least that our queue can do it in: three passes through its lock and two looks at the"
            + " clock take %,.0f ns by themselves.%n",
        floor());
    System.exit(0);
  }

  /**
   * Returns the time that the locks and clock readings of one key take on their own, in
   * nanoseconds.
   */
  private static double floor() {
    ReentrantLock lock = new ReentrantLock();
    double best = Double.MAX_VALUE;
    long sum = 0;
    for (int round = 0; round < 10; round++) {
      long began = System.nanoTime();
      for (int i = 0; i < KEYS; i++) {
        for (int pass = 0; pass < 3; pass++) {
          lock.lock();
          try {
            sum += pass == 2 ? 1 : System.nanoTime();
          } finally {
            lock.unlock();
          }
        }
      }
      best = Math.min(best, (double) (System.nanoTime() - began) / KEYS);
    }
    return sum == 0 ? 0 : best; // uses the sum so that the compiler cannot remove the loop
  }

  private static void compare(List<String> keys, Pattern pattern, int threads, int rounds)
      throws Exception {
    List<Double> ours = new ArrayList<>();
    List<Double> theirs = new ArrayList<>();
    for (int round = -1; round < rounds; round++) {
      double our = run(ComparedQueue::windlass, keys, pattern, threads);
      double their = run(ComparedQueue::clientJava, keys, pattern, threads);
      if (round >= 0) {
        ours.add(our);
        theirs.add(their);
      }
    }
    double ratio = median(theirs) / median(ours);
    System.out.printf(
        "| %s | %d | %,.0f | %,.0f | %.2f | ≥ %.0f | %s |%n",
        pattern.text,
        threads,
        median(ours),
        median(theirs),
        ratio,
        TARGET,
        ratio >= TARGET ? "pass" : "**fail**");
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  /** Runs one round and returns the nanoseconds per key. */
  private static double run(
      Supplier<ComparedQueue> library, List<String> keys, Pattern pattern, int threads)
      throws Exception {
    ComparedQueue queue = library.get();
    System.gc();
    CyclicBarrier start = new CyclicBarrier(threads + 1);
    CyclicBarrier end = new CyclicBarrier(threads + 1);
    int share = keys.size() / threads;
    for (int thread = 0; thread < threads; thread++) {
      List<String> mine = keys.subList(thread * share, (thread + 1) * share);
      Thread worker =
          new Thread(
              () -> {
                try {
                  start.await();
                  run(queue, mine, pattern);
                  end.await();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      worker.setDaemon(true);
      worker.start();
    }
    start.await();
    long began = System.nanoTime();
    end.await();
    double nanos = System.nanoTime() - began;
    queue.shutDown();
    return nanos / keys.size();
  }

  private static void run(ComparedQueue queue, List<String> keys, Pattern pattern)
      throws InterruptedException {
    for (String key : keys) {
      queue.add(key);
      if (pattern == Pattern.ONE_BY_ONE) {
        queue.work();
      }
    }
    if (pattern == Pattern.ALL_THEN_ALL) {
      for (int i = 0; i < keys.size(); i++) {
        queue.work();
      }
    }
  }
}
