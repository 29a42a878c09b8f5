// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loops;

import dev.windlass.object.CachedObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What {@link LoopGuard} knows of one request. Times are given. Guarded by the guard. */
final class LoopTrack {

  /** What there is to say of a request. */
  enum Finding {
    NONE,
    /** It runs often, for whatever reason. */
    OFTEN,
    /** It runs in a loop, which is proven. */
    LOOP
  }

  private double level;
  private long lastRunAt;

  /** Whether it was reported that it runs often. */
  private boolean often;

  private boolean looping;
  private long lastHeldAt;

  /**
   * The uid and the generation of the object at the last run; null before, and while it is gone.
   */
  private @Nullable String wish;

  private LoopStates states = LoopStates.NONE;

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

  /** Whether it runs so often that the objects behind its runs are to be compared. */
  boolean isSuspect() {
    return level + 1 > LoopGuard.SUSPECT;
  }

  /** What is known of the object behind its runs. */
  LoopStates states() {
    return states;
  }

  /**
   * It runs.
   *
   * @param at the time
   * @param current the object itself, as it is now; null if it is gone
   * @param known what is known of the object behind its runs by now
   * @return what begins with this run
   */
  Finding run(long at, @Nullable CachedObject<?> current, LoopStates known) {
    drain(at);
    lastRunAt = at;
    String now = current == null ? null : current.uid() + " " + current.generation();
    boolean changed = now != null && wish != null && !now.equals(wish);
    wish = now;
    if (changed && !states.proveALoop()) {
      level = Math.min(level, LoopGuard.SUSPECT); // but two who change it in turn are found out
      looping = false;
    }
    level++;
    states = known;
    if (!looping && states.proveALoop()) {
      looping = true;
      lastHeldAt = at;
      return Finding.LOOP;
    }
    if (!often && !looping && level > LoopGuard.BURST) {
      often = true;
      return Finding.OFTEN;
    }
    return Finding.NONE;
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
      states = LoopStates.NONE;
      often = false;
    }
  }

  /** Whether nothing need be remembered. */
  boolean isQuiet() {
    return level == 0 && !looping;
  }
}
