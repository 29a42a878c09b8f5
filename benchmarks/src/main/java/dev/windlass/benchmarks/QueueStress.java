// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.workqueue.Priority;
import dev.windlass.workqueue.WorkItem;
import dev.windlass.workqueue.WorkQueue;
import dev.windlass.workqueue.WorkQueueOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stresses the work queue with real threads for a configurable number of operations. The program
 * fails with an exception if an add is lost, if two workers hold the same key at the same time, or
 * if a delay ends early.
 *
 * <p>System properties, with their defaults: {@code bench.operations} (100,000,000 adds, takes and
 * completions), {@code bench.delayed} (10,000,000 delayed adds, which need 3 GB of memory).
 */
public final class QueueStress {

  private static final int KEYS = 4_096;
  private static final int ADDS_PER_ROUND = 1_000_000;
  private static final int THREADS = 2;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicLong operations = new AtomicLong();

  private QueueStress() {}

  /** Runs the benchmark. */
  public static void main(String[] arguments) throws Exception {
    QueueStress stress = new QueueStress();
    long target = Long.getLong("bench.operations", 100_000_000);
    for (int round = 0; stress.operations.get() < target; round++) {
      stress.round(round);
    }
    System.out.printf("%,d operations, nothing lost, nothing shared%n", stress.operations.get());
    stress.delays(Integer.getInteger("bench.delayed", 10_000_000));
    System.exit(0);
  }

  /** Runs one queue until it is drained. */
  private void round(int round) throws Exception {
    WorkQueue<Integer> queue = WorkQueue.create(WorkQueueOptions.named("stress"));
    AtomicIntegerArray wanted = new AtomicIntegerArray(KEYS);
    AtomicIntegerArray seen = new AtomicIntegerArray(KEYS);
    AtomicIntegerArray holders = new AtomicIntegerArray(KEYS);
    List<Future<?>> producers = new ArrayList<>();
    List<Future<?>> workers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int seed = round * THREADS + i;
      producers.add(threads.submit(() -> produce(queue, wanted, seed)));
      workers.add(threads.submit(() -> work(queue, wanted, seen, holders)));
    }
    await(producers);
    while (queue.delayed() > 0) {
      Thread.sleep(1);
    }
    check(queue.shutDownWithDrain(Duration.ofMinutes(1)), "the queue does not drain");
    await(workers);
    for (int key = 0; key < KEYS; key++) {
      check(seen.get(key) == wanted.get(key), "an add of key " + key + " was lost");
    }
  }

  private void produce(WorkQueue<Integer> queue, AtomicIntegerArray wanted, int seed) {
    int random = seed + 1;
    for (int i = 0; i < ADDS_PER_ROUND / THREADS; i++) {
      random = random * 1_103_515_245 + 12_345;
      int key = (random >>> 8) % KEYS;
      wanted.incrementAndGet(key);
      switch ((random >>> 24) & 7) {
        case 0 -> queue.addAfter(key, Duration.ofNanos(random >>> 12));
        case 1 -> queue.add(key, Priority.LOW);
        default -> queue.add(key);
      }
    }
    operations.addAndGet(ADDS_PER_ROUND / THREADS);
  }

  private Void work(
      WorkQueue<Integer> queue,
      AtomicIntegerArray wanted,
      AtomicIntegerArray seen,
      AtomicIntegerArray holders)
      throws InterruptedException {
    for (var next = queue.take(); next.isPresent(); next = queue.take()) {
      try (WorkItem<Integer> item = next.get()) {
        int key = item.key();
        check(holders.incrementAndGet(key) == 1, "two workers have key " + key);
        seen.set(key, wanted.get(key));
        holders.decrementAndGet(key);
        operations.addAndGet(2);
      }
    }
    return null;
  }

  private void delays(int keys) throws Exception {
    WorkQueue<Integer> queue = WorkQueue.create(WorkQueueOptions.named("delays"));
    long[] dueAt = new long[keys];
    long start = System.nanoTime();
    for (int key = 0; key < keys; key++) {
      long delay = 1 + (key * 7_919L % 10_000) * 1_000_000; // up to ten seconds
      dueAt[key] = System.nanoTime() + delay;
      queue.addAfter(key, Duration.ofNanos(delay));
    }
    for (int i = 0; i < keys; i++) {
      try (WorkItem<Integer> item = queue.take().orElseThrow()) {
        check(dueAt[item.key()] != 0, "key " + item.key() + " comes twice");
        check(System.nanoTime() - dueAt[item.key()] >= 0, "key " + item.key() + " is early");
        dueAt[item.key()] = 0;
      }
    }
    check(queue.poll().isEmpty(), "a key comes unasked");
    queue.shutDown();
    System.out.printf(
        "%,d delayed adds, each due within 10 s: all handed out after %.1f s%n",
        keys, (System.nanoTime() - start) / 1e9);
  }

  private static void await(List<Future<?>> futures) throws Exception {
    for (Future<?> future : futures) {
      future.get();
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
