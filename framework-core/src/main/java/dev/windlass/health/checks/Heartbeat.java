// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

import dev.windlass.scheduling.Loop;
import java.time.Duration;
import java.util.Optional;

/**
 * A snapshot of one loop's activity, which health checks use to detect loops that have stopped,
 * hang or fail. A <em>round</em> is one iteration of a loop. Instances are immutable.
 *
 * @param name the loop's name
 * @param running whether the loop's thread is alive
 * @param busyFor the duration of the current round so far, or zero while the loop waits
 * @param failure the exception that the last round threw, or empty if the round did not fail
 * @param progress a number that changes whenever the loop makes progress within a round; constant
 *     for loops with short rounds
 */
public record Heartbeat(
    String name, boolean running, Duration busyFor, Optional<String> failure, long progress) {

  /**
   * Returns a copy with the given name. Use this method to distinguish loops that have the same
   * name.
   */
  public Heartbeat named(String other) {
    return new Heartbeat(other, running, busyFor, failure, progress);
  }

  /** Returns the heartbeat of a loop with short rounds. */
  public static Heartbeat of(Loop loop) {
    return of(loop, 0);
  }

  /**
   * Returns the heartbeat of a loop that makes progress within a round.
   *
   * @param progress a number that changes whenever the loop makes progress
   */
  public static Heartbeat of(Loop loop, long progress) {
    return new Heartbeat(
        loop.name(),
        loop.isRunning(),
        loop.busyFor(),
        loop.lastFailure().map(SafeCauseText::of),
        progress);
  }
}
