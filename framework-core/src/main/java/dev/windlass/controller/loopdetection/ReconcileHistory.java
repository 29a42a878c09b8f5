// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loopdetection;

import dev.windlass.object.CachedObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The recent runs of one request. {@link LoopDetector} uses them to detect loops. Callers pass the
 * current time. The lock of {@link LoopDetector} guards this class.
 */
final class ReconcileHistory {

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

  /** Whether the detector has already reported that the request runs often. */
  private boolean often;

  private boolean looping;
  private long lastHeldAt;

  /**
   * The uid and generation of the reconciled object at the last run for which the request was
   * suspect (see {@link #isSuspect}). Null before the first such run, or if the object did not
   * exist at that time.
   */
  private @Nullable String wish;

  private StateFlips states = StateFlips.NONE;

  /** Creates the history of a request that has not run yet. */
  ReconcileHistory(long now) {
    lastRunAt = now;
  }

  /** Returns the time that the request must wait, or zero if it may run now. */
  Duration hold(long now) {
    long next = lastRunAt + LoopDetector.PACE.toNanos();
    if (!looping || next - now <= 0) {
      return Duration.ZERO;
    }
    lastHeldAt = now;
    return Duration.ofNanos(next - now);
  }

  /**
   * Returns whether the request is suspect, that is, may be in a loop. This is the case if the
   * detector limits the request, or if the next run raises its level above {@link
   * LoopDetector#SUSPECT}. The detector compares the objects that cause the runs of a suspect
   * request.
   */
  boolean isSuspect() {
    return looping || level + 1 > LoopDetector.SUSPECT;
  }

  /** Returns the known states of the object that causes the runs. */
  StateFlips states() {
    return states;
  }

  /** Records a run of a request that is not suspect. */
  void run(long at) {
    lastRunAt = at;
    level++;
  }

  /**
   * Records a run of a suspect request.
   *
   * @param at the current time
   * @param current the current version of the reconciled object, or null if it no longer exists
   * @param known the known states of the object that causes the runs
   * @return the finding to report
   */
  Finding run(long at, @Nullable CachedObject<?> current, StateFlips known) {
    drain(at);
    lastRunAt = at;
    String now = current == null ? null : current.uid() + " " + current.generation();
    boolean changed = now != null && wish != null && !now.equals(wish);
    wish = now;
    if (changed && !states.proveALoop()) {
      level = Math.min(level, LoopDetector.SUSPECT); // two alternating writers are still detected
      looping = false;
    }
    level++;
    states = known;
    if (!looping && states.proveALoop()) {
      looping = true;
      lastHeldAt = at;
      return Finding.LOOP;
    }
    if (!often && !looping && level > LoopDetector.BURST) {
      often = true;
      return Finding.OFTEN;
    }
    return Finding.NONE;
  }

  /** Lowers the level in proportion to the time since the last run. */
  void drain(long now) {
    double seconds = (now - lastRunAt) / 1e9;
    level = Math.max(0, level - seconds * LoopDetector.RUNS_PER_SECOND);
    if (looping && now - lastHeldAt > LoopDetector.CALM.toNanos()) {
      looping = false;
      level = 0;
    }
    if (level == 0) {
      states = StateFlips.NONE;
      often = false;
    }
  }

  /**
   * Returns whether this entry can be removed. This is the case if its level is 0 and no loop is in
   * progress.
   */
  boolean isQuiet() {
    return level == 0 && !looping;
  }
}
