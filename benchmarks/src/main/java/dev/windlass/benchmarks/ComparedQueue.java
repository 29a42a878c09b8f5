// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.workqueue.WorkQueue;
import dev.windlass.workqueue.WorkQueueOptions;
import io.kubernetes.client.extended.workqueue.DefaultRateLimitingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What {@link QueueReport} does with a queue, whoever wrote it. */
interface ComparedQueue {

  void add(String key);

  /** Takes the next key and gives it back. */
  void work() throws InterruptedException;

  void shutDown();

  /** Ours, with its defaults. */
  static ComparedQueue windlass() {
    WorkQueue<String> queue = WorkQueue.create(WorkQueueOptions.named("bench"));
    return new ComparedQueue() {
      @Override
      public void add(String key) {
        queue.add(key);
      }

      @Override
      public void work() throws InterruptedException {
        queue.take().orElseThrow().close();
      }

      @Override
      public void shutDown() {
        queue.shutDown();
      }
    };
  }

  /** The one of client-java, with its defaults. */
  static ComparedQueue clientJava() {
    ExecutorService delays = Executors.newSingleThreadExecutor();
    DefaultRateLimitingQueue<String> queue = new DefaultRateLimitingQueue<>(delays);
    return new ComparedQueue() {
      @Override
      public void add(String key) {
        queue.add(key);
      }

      @Override
      public void work() throws InterruptedException {
        queue.done(queue.get());
      }

      @Override
      public void shutDown() {
        queue.shutDown();
        delays.shutdownNow();
      }
    };
  }
}
