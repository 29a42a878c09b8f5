// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import java.time.Duration;

/**
 * Determines the pace of a migration's requests. The migration sends one request at a time. The
 * pause after a request is as long as the request took, but at least the current interval and at
 * most 10 s, so a server that becomes slower receives fewer requests. Each request that the server
 * rejects because there are too many requests doubles the interval, and each pause shortens it by a
 * sixteenth, down to the configured minimum. Only one thread may use an instance.
 */
final class MigrationPace {

  /** The longest interval and the longest pause: 10 s. */
  private static final Duration MAX_INTERVAL = Duration.ofSeconds(10);

  private static final int RECOVERY = 16;

  private final Duration minimum;
  private Duration interval;

  MigrationPace(int objectsPerSecond) {
    minimum = Duration.ofSeconds(1).dividedBy(objectsPerSecond);
    interval = minimum;
  }

  /** Returns the pause after a request that has taken the given time. */
  Duration pause(Duration took) {
    interval = interval.minus(interval.dividedBy(RECOVERY));
    interval = interval.compareTo(minimum) < 0 ? minimum : interval;
    Duration pause = took.compareTo(interval) > 0 ? took : interval;
    return pause.compareTo(MAX_INTERVAL) < 0 ? pause : MAX_INTERVAL;
  }

  /** Slows down after the server has rejected a request because there were too many requests. */
  void slowDown() {
    interval = interval.multipliedBy(2);
    interval = interval.compareTo(MAX_INTERVAL) < 0 ? interval : MAX_INTERVAL;
  }
}
