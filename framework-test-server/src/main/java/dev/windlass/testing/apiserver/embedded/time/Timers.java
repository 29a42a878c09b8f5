// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.time;

import java.time.Duration;

/**
 * Runs the background tasks of the embedded server: watch time-outs and bookmarks, the garbage
 * collector and the other controllers, and the delivery of watch events in memory. With {@code
 * ManualScheduler}, these tasks run in virtual time:
 *
 * <pre>{@code
 * EmbeddedApiServer.builder()
 *     .clock(time.clock())
 *     .timers((task, delay) -> time.schedule(task, delay)::cancel)
 * }</pre>
 *
 * <p>Implementations must be thread-safe if the server uses sockets.
 */
@FunctionalInterface
public interface Timers {

  /**
   * Schedules a task to run once after a delay. The task must not run before this method returns.
   *
   * @param delay the delay, which is not negative. Zero means as soon as possible. Tasks with equal
   *     delays should run in the order in which they were scheduled
   * @return an action that cancels the task if it has not started
   */
  Runnable schedule(Runnable task, Duration delay);
}
