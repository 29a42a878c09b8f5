// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

/**
 * Runs a call and waits for its result, up to a time limit.
 *
 * @param scheduler the scheduler that ends the wait at the time limit
 */
record TimedWait(Scheduler scheduler) {

  /**
   * Runs a call on a separate thread and waits for its result. The call can block.
   *
   * @return the result, or an empty result if the call fails or does not return within the limit
   */
  <T> Optional<T> atMost(Duration limit, ThreadFactory threads, String name, Supplier<T> question) {
    CompletableFuture<Optional<T>> answer = new CompletableFuture<>();
    Thread asking =
        threads.newThread(
            () -> {
              try {
                answer.complete(Optional.ofNullable(question.get()));
              } catch (RuntimeException e) {
                answer.complete(Optional.empty());
              }
            });
    asking.setName(name);
    if (!asking.isDaemon()) {
      asking.setDaemon(true);
    }
    Scheduler.Alarm alarm = scheduler.schedule(() -> answer.complete(Optional.empty()), limit);
    asking.start();
    try {
      return answer.join();
    } finally {
      alarm.cancel();
    }
  }
}
