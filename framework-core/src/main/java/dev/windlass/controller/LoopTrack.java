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

  /**
   * The uid and the generation of the object at the last run; null before, and while it is gone.
   */
  private @Nullable String wish;

  /** The last two states of the object that caused the last runs. */
  private @Nullable CachedObject<?> newest;

  private @Nullable CachedObject<?> before;

  /** Where they differ, and how often the newest was like the one before the last. */
  private @Nullable String place;

  private int flips;

  /** One that has not run yet. */
  LoopTrack(long now) {
    lastRunAt = now;
  }

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
   * @param at the time
   * @param current the object itself, as it is now; null if it is gone
   * @param cause the object whose event was the reason; null if it was none
   * @return whether it begins to run in circles with this run
   */
  boolean run(long at, @Nullable CachedObject<?> current, @Nullable CachedObject<?> cause) {
    drain(at);
    lastRunAt = at;
    String now = current == null ? null : current.uid() + " " + current.generation();
    boolean changed = now != null && wish != null && !now.equals(wish);
    wish = now;
    if (changed && flips < LoopGuard.FLIPS) {
      level = Math.min(level, LoopGuard.SUSPECT); // but two who change it in turn are found out
      looping = false;
    }
    level++;
    if (level > LoopGuard.SUSPECT && cause != null) {
      remember(cause);
    }
    boolean was = looping;
    if (!was && (level > LoopGuard.BURST || flips >= LoopGuard.FLIPS)) {
      looping = true;
      lastHeldAt = at;
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
