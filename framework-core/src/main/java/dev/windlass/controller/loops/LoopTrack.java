// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loops;

import dev.windlass.object.CachedObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state that {@link LoopGuard} tracks for one request. Callers pass the current time. Guarded
 * by the lock of {@link LoopGuard}.
 */
final class LoopTrack {

  /** A finding to report about a request. */
  enum Finding {
    NONE,
    /** The request runs often, for any reason. */
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

  /** Returns the known states of the object behind the runs. */
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
   * @param current the current state of the reconciled object; null if it no longer exists
   * @param known the states known so far of the object behind the runs
   * @return the finding to report from this run on
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

  /** Returns whether the entry can be removed. */
  boolean isQuiet() {
    return level == 0 && !looping;
  }
}
