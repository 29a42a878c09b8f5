// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The request threads of the server. */
final class Threads {
  private static final Logger log = LoggerFactory.getLogger(Threads.class);
  private static final long JOIN_SECONDS = 5;

  private Threads() {}

  /** As many daemon threads as there are open requests, because each watch holds one. */
  static ExecutorService requests() {
    AtomicInteger number = new AtomicInteger();
    return Executors.newCachedThreadPool(
        task -> {
          Thread thread =
              new Thread(task, "embedded-apiserver-request-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Waits at most 5 seconds for the threads of a pool that is shut down. */
  static void join(ExecutorService executor) {
    try {
      if (!executor.awaitTermination(JOIN_SECONDS, TimeUnit.SECONDS)) {
        log.warn("threads of the embedded API server are still busy after {} s", JOIN_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
