// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.threads;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.windlass.testing.apiserver.embedded.time.Timers;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs immediate and delayed tasks, one at a time. Logs exceptions that tasks throw. After {@link
 * #close()}, no further task starts. Implementations are thread-safe.
 */
public interface Background extends AutoCloseable {

  /** Runs {@code task} as soon as possible. */
  default void run(Runnable task) {
    after(Duration.ZERO, task);
  }

  /**
   * Runs {@code task} once after {@code delay}. Returns an action that cancels the task if it has
   * not started.
   */
  @CanIgnoreReturnValue
  Runnable after(Duration delay, Runnable task);

  /** Runs {@code task} once per {@code period}. Returns an action that ends the repetition. */
  Runnable every(Duration period, Runnable task);

  /** Discards the tasks that have not started. */
  @Override
  void close();

  /** Creates an instance that schedules its tasks with the given timers. */
  static Background on(Timers timers) {
    return new TimedBackground(timers);
  }

  /** Returns a task that runs the given task and logs its exception if it fails. */
  static Runnable logged(Runnable task) {
    Logger log = LoggerFactory.getLogger(Background.class);
    return () -> {
      try {
        task.run();
      } catch (RuntimeException e) {
        log.error("a background task of the embedded API server failed", e);
      }
    };
  }
}
