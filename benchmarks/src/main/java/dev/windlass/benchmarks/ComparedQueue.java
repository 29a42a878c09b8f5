// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.workqueue.WorkQueue;
import dev.windlass.workqueue.WorkQueueOptions;
import io.kubernetes.client.extended.workqueue.DefaultRateLimitingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The operations that {@link QueueReport} measures on each library's queue. */
interface ComparedQueue {

  void add(String key);

  /** Takes the next key and marks it as done. */
  void work() throws InterruptedException;

  void shutDown();

  /** Creates a queue of Windlass with default options. */
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

  /** Creates a queue of client-java with default options. */
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
