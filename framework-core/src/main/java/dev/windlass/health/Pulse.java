// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import dev.windlass.time.Loop;
import java.time.Duration;
import java.util.Optional;

/**
 * The heartbeat of one loop, at one moment. Immutable.
 *
 * @param name of the loop
 * @param running whether its thread lives
 * @param busyFor how long its round has taken so far; zero while it rests
 * @param failure what its last round threw
 * @param progress changes whenever something gets done within a round; constant for loops whose
 *     rounds are short
 */
public record Pulse(
    String name, boolean running, Duration busyFor, Optional<String> failure, long progress) {

  /** The same under another name: names of loops are not unique. */
  public Pulse named(String other) {
    return new Pulse(other, running, busyFor, failure, progress);
  }

  /** That of a loop whose rounds are short. */
  public static Pulse of(Loop loop) {
    return of(loop, 0);
  }

  /** That of a loop that gets something done within a round. */
  public static Pulse of(Loop loop, long progress) {
    return new Pulse(
        loop.name(),
        loop.isRunning(),
        loop.busyFor(),
        loop.lastFailure().map(Causes::of),
        progress);
  }
}
