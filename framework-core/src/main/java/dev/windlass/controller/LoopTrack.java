// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectDiff;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What {@link LoopGuard} knows of one request. Times are given. Guarded by the guard. */
final class LoopTrack {

  private double level;
  private long lastRunAt;
  private boolean looping;
  private long lastHeldAt;

  private @Nullable CachedObject<?> primary;

  /** The last two states of the object that caused the last runs. */
  private @Nullable CachedObject<?> newest;

  private @Nullable CachedObject<?> before;

  /** Where they differ, and how often the newest was like the one before the last. */
  private @Nullable String place;

  private int flips;

  /** How long the request must wait; zero if it may run. */
  Duration hold(long now) {
    long next = lastRunAt + LoopGuard.PACE.toNanos();
    if (!looping || next - now <= 0) {
      return Duration.ZERO;
    }
    lastHeldAt = now;
    return Duration.ofNanos(next - now);
  }

  /**
   * It runs.
   *
   * @param now of itself
   * @param cause the object whose event was the reason; null if it was none
   * @return whether it begins to run in circles with this run
   */
  boolean run(long now, @Nullable CachedObject<?> current, @Nullable CachedObject<?> cause) {
    drain(now);
    lastRunAt = now;
    if (isChangeOfItsOwn(current)) {
      level = 0;
      flips = 0;
      looping = false;
    }
    primary = current;
    level++;
    if (level > LoopGuard.SUSPECT && cause != null) {
      remember(cause);
    }
    boolean was = looping;
    if (!was && (level > LoopGuard.BURST || flips >= LoopGuard.FLIPS)) {
      looping = true;
      lastHeldAt = now;
    }
    return looping && !was;
  }

  /** Lets time pass. */
  void drain(long now) {
    double seconds = (now - lastRunAt) / 1e9;
    level = Math.max(0, level - seconds * LoopGuard.RUNS_PER_SECOND);
    if (looping && now - lastHeldAt > LoopGuard.CALM.toNanos()) {
      looping = false;
      level = 0;
    }
    if (level == 0) {
      flips = 0;
      newest = null;
      before = null;
      place = null;
    }
  }

  /** Whether nothing need be remembered. */
  boolean isQuiet() {
    return level == 0 && !looping;
  }

  boolean isLooping() {
    return looping;
  }

  /** Whether somebody wants something else of the object than at the last run. */
  private boolean isChangeOfItsOwn(@Nullable CachedObject<?> current) {
    CachedObject<?> last = primary;
    return current != null
        && last != null
        && (current.generation() != last.generation() || !current.uid().equals(last.uid()));
  }

  private void remember(CachedObject<?> state) {
    CachedObject<?> last = newest;
    if (last == null || !last.uid().equals(state.uid())) {
      newest = state;
      before = null;
      return;
    }
    Optional<String> difference = ObjectDiff.firstDifference(last, state);
    if (difference.isEmpty()) {
      return;
    }
    place = difference.get();
    CachedObject<?> secondLast = before;
    if (secondLast != null && ObjectDiff.firstDifference(secondLast, state).isEmpty()) {
      flips++;
    }
    before = last;
    newest = state;
  }

  /** What is known of why, for people. */
  String story() {
    CachedObject<?> object = newest;
    if (object == null || place == null) {
      return "";
    }
    return ": "
        + object.type().kind()
        + " "
        + object.key()
        + (flips > 0 ? " goes back and forth at " : " keeps changing at ")
        + place;
  }
}
