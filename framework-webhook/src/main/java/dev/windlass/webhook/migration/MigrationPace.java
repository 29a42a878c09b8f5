// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.migration;

import java.time.Duration;

/**
 * Determines the pause after each request of a migration, which sends one request at a time. The
 * pause is as long as the request took, but at least the current interval and at most 10 s. A
 * server that responds more slowly therefore receives fewer requests.
 *
 * <p>The interval doubles when the server rejects a request with status 429 (too many requests).
 * Each pause shortens it by a sixteenth, down to the configured minimum.
 *
 * <p>Only one thread may use an instance.
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

  /** Returns the pause after a request that took the given time, and shortens the interval. */
  Duration pause(Duration took) {
    interval = interval.minus(interval.dividedBy(RECOVERY));
    interval = interval.compareTo(minimum) < 0 ? minimum : interval;
    Duration pause = took.compareTo(interval) > 0 ? took : interval;
    return pause.compareTo(MAX_INTERVAL) < 0 ? pause : MAX_INTERVAL;
  }

  /**
   * Doubles the interval, up to 10 s, because the server has rejected a request with status 429.
   */
  void slowDown() {
    interval = interval.multipliedBy(2);
    interval = interval.compareTo(MAX_INTERVAL) < 0 ? interval : MAX_INTERVAL;
  }
}
