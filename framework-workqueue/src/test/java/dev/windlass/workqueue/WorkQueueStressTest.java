// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testsupport.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads and real time, which show what a model can't: races. */
@Timeout(120)
final class WorkQueueStressTest {

  private static final int KEYS = 512;
  private static final int PRODUCERS = 2;
  private static final int WORKERS = 3;
  private static final int ADDS = 500_000;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /**
   * At the start of its work, a worker sees all adds made before, and no two workers hold the same
   * key; 1,000,000 adds, each with its share of hand-outs and closes (docs/reliability.md, bugs 17,
   * 18 and 30).
   */
  @Test
  void losesNoKeyAndGivesNoneToTwoWorkers() throws Exception {
    WorkQueue<Integer> queue = WorkQueue.create(WorkQueueOptions.named("stress"));
    AtomicIntegerArray wanted = new AtomicIntegerArray(KEYS);
    AtomicIntegerArray seen = new AtomicIntegerArray(KEYS);
    AtomicIntegerArray holders = new AtomicIntegerArray(KEYS);
    AtomicBoolean shared = new AtomicBoolean();
    List<Future<?>> producers = new ArrayList<>();
    List<Future<?>> workers = new ArrayList<>();
    for (int p = 0; p < PRODUCERS; p++) {
      int seed = p;
      producers.add(threads.submit(() -> produce(queue, wanted, seed)));
    }
    for (int w = 0; w < WORKERS; w++) {
      workers.add(
          threads.submit(
              () -> {
                for (var next = queue.take(); next.isPresent(); next = queue.take()) {
                  try (WorkItem<Integer> item = next.get()) {
                    int key = item.key();
                    if (holders.incrementAndGet(key) > 1) {
                      shared.set(true);
                    }
                    seen.set(key, wanted.get(key));
                    holders.decrementAndGet(key);
                  }
                }
                return null;
              }));
    }
    for (Future<?> producer : producers) {
      producer.get(60, TimeUnit.SECONDS);
    }
    Eventually.stuckUntil(() -> queue.delayed() == 0);
    assertThat(queue.shutDownWithDrain(Duration.ofSeconds(30))).isTrue();
    for (Future<?> worker : workers) {
      worker.get(20, TimeUnit.SECONDS);
    }
    assertThat(shared).as("two workers had one key").isFalse();
    for (int key = 0; key < KEYS; key++) {
      assertThat(seen.get(key) == wanted.get(key)).as("the last add of %d", key).isTrue();
    }
  }

  private static void produce(WorkQueue<Integer> queue, AtomicIntegerArray wanted, int seed) {
    int random = seed + 1;
    for (int i = 0; i < ADDS; i++) {
      random = random * 1_103_515_245 + 12_345;
      int key = (random >>> 8) % KEYS;
      wanted.incrementAndGet(key);
      switch ((random >>> 24) & 7) {
        case 0 -> queue.addAfter(key, Duration.ofNanos(random >>> 12));
        case 1 -> queue.add(key, Priority.LOW);
        case 2 -> queue.addAfter(key, Duration.ofNanos(random >>> 16), Priority.LOW);
        default -> queue.add(key);
      }
    }
  }

  /** 10,000 shut-downs in the middle of adds and hand-outs (docs/reliability.md, bug 19). */
  @Test
  void shutsDownUnderLoadWithoutADeadlock() throws Exception {
    for (int round = 0; round < 10_000; round++) {
      WorkQueue<Integer> queue = WorkQueue.create(WorkQueueOptions.named("round"));
      Future<?> worker =
          threads.submit(
              () -> {
                for (var next = queue.take(); next.isPresent(); next = queue.take()) {
                  queue.addAfter(next.get().key(), Duration.ofMillis(1));
                  next.get().close();
                }
                return null;
              });
      int adds = round % 20;
      Future<?> producer =
          threads.submit(
              () -> {
                for (int i = 0; i < adds; i++) {
                  queue.add(i);
                }
              });
      boolean drain = round % 2 == 0;
      if (drain) {
        assertThat(queue.shutDownWithDrain(Duration.ofSeconds(30))).isTrue();
      } else {
        queue.shutDown();
      }
      worker.get(20, TimeUnit.SECONDS);
      producer.get(20, TimeUnit.SECONDS);
      assertThat(queue.length() + queue.delayed() + queue.inWork().size()).isZero();
    }
  }

  /** While a key is ready, a waiting worker gets it (docs/reliability.md, bug 20). */
  @Test
  void leavesNoWorkerWaitingWhileAKeyIsReady() throws Exception {
    WorkQueue<Integer> queue = WorkQueue.create(WorkQueueOptions.named("ping"));
    WorkQueue<Integer> answers = WorkQueue.create(WorkQueueOptions.named("pong"));
    Future<?> worker =
        threads.submit(
            () -> {
              for (var next = queue.take(); next.isPresent(); next = queue.take()) {
                answers.add(next.get().key());
                next.get().close();
              }
              return null;
            });
    for (int i = 0; i < 20_000; i++) {
      queue.add(i);
      try (WorkItem<Integer> answer = answers.take().orElseThrow()) {
        assertThat(answer.key().intValue() == i).isTrue();
      }
    }
    queue.shutDown();
    worker.get(20, TimeUnit.SECONDS);
  }
}
