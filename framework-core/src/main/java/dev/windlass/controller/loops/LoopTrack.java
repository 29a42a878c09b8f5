// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loops;

import dev.windlass.object.CachedObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What {@link LoopGuard} tracks for one request. Callers pass the current time. Guarded by the
 * guard.
 */
final class LoopTrack {

  /** What to report about a request. */
  enum Finding {
    NONE,
    /** The request runs often, for whatever reason. */
    OFTEN,
    /** The request is proven to run in a loop. */
    LOOP
  }

  private double level;
  private long lastRunAt;

  /** Whether it was reported that the request runs often. */
  private boolean often;

  private boolean looping;
  private long lastHeldAt;

  /**
   * The uid and the generation of the object at the last run that was suspect; null before that,
   * and while the object does not exist.
   */
  private @Nullable String wish;

  private LoopStates states = LoopStates.NONE;

  /** Creates the track of a request that has not run yet. */
  LoopTrack(long now) {
    lastRunAt = now;
  }

  /** Returns how long the request must wait; zero if it may run. */
  Duration hold(long now) {
    long next = lastRunAt + LoopGuard.PACE.toNanos();
    if (!looping || next - now <= 0) {
      return Duration.ZERO;
    }
    lastHeldAt = now;
    return Duration.ofNanos(next - now);
  }

  /**
   * Returns whether the request runs so often, or is slowed down, that the objects behind its runs
   * must be compared.
   */
  boolean isSuspect() {
    return looping || level + 1 > LoopGuard.SUSPECT;
  }

  /** Returns what is known about the object behind the runs. */
  LoopStates states() {
    return states;
  }

  /** Records a run that is not suspect. */
  void run(long at) {
    lastRunAt = at;
    level++;
  }

  /**
   * Records a run that is suspect.
   *
   * @param at the time
   * @param current the current state of the reconciled object; null if it is gone
   * @param known what is known by now about the object behind the runs
   * @return what begins with this run
   */
  Finding run(long at, @Nullable CachedObject<?> current, LoopStates known) {
    drain(at);
    lastRunAt = at;
    String now = current == null ? null : current.uid() + " " + current.generation();
    boolean changed = now != null && wish != null && !now.equals(wish);
    wish = now;
    if (changed && !states.proveALoop()) {
      level = Math.min(level, LoopGuard.SUSPECT); // two alternating writers are still detected
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

  /** Lowers the level according to the time that has passed. */
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

  /** Returns whether nothing needs to be remembered. */
  boolean isQuiet() {
    return level == 0 && !looping;
  }
}
