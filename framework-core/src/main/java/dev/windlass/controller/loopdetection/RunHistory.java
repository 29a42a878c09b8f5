// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loopdetection;

import dev.windlass.object.CachedObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The recent runs of one request, from which {@link LoopDetector} detects loops, and which the
 * minimum interval between two runs needs. Only the worker that processes the request uses the
 * history. Callers pass the current time.
 */
public final class RunHistory {

  enum Finding {
    NONE,
    /** The request runs often, for any reason. */
    OFTEN,
    /** The request is proven to run in a loop. */
    LOOP
  }

  private final long interval;
  private boolean hasRun;
  private long lastRunAt;
  private double level;

  /** The last finding that was reported. */
  private Finding reported = Finding.NONE;

  /**
   * The uid and generation of the reconciled object at the last run for which the request was
   * suspect (see {@link #isSuspect}). Null before the first such run, or if the object did not
   * exist at that time.
   */
  private @Nullable String wish;

  private StateFlips states = StateFlips.NONE;

  /**
   * Creates the history of a request that has not run yet.
   *
   * @param interval the minimum time between the starts of two runs, in nanoseconds
   */
  public RunHistory(long interval) {
    this.interval = interval;
  }

  /** Returns the time that the request must wait, or zero if it may run now. */
  public Duration hold(long now) {
    long wait = hasRun ? lastRunAt + interval - now : 0;
    return wait <= 0 ? Duration.ZERO : Duration.ofNanos(wait);
  }

  public void run(long now) {
    drain(now);
    hasRun = true;
    lastRunAt = now;
    level++;
  }

  /**
   * Returns whether the request may be in a loop, so that the detector compares the objects that
   * cause its runs.
   */
  boolean isSuspect() {
    return level > LoopDetector.SUSPECT;
  }

  /**
   * Evaluates the last run of a suspect request.
   *
   * @param current the current version of the reconciled object, or null if it no longer exists
   * @param cause the object that caused the run, or null if it is unknown
   * @return the finding to report, or {@link Finding#NONE} if it has been reported before
   */
  Finding evaluate(@Nullable CachedObject<?> current, @Nullable CachedObject<?> cause) {
    String now = current == null ? null : current.uid() + " " + current.generation();
    boolean changed = now != null && wish != null && !now.equals(wish);
    wish = now;
    states = cause == null ? states : states.with(cause);
    if (changed && !states.proveALoop()) {
      level = Math.min(level, LoopDetector.SUSPECT + 1); // two alternating writers still count
    }
    Finding found =
        states.proveALoop()
            ? Finding.LOOP
            : level > LoopDetector.BURST ? Finding.OFTEN : Finding.NONE;
    if (found.compareTo(reported) <= 0) {
      return Finding.NONE;
    }
    reported = found;
    return found;
  }

  /** Returns a description of the cause of the runs for the log, or an empty string. */
  String story() {
    return states.story();
  }

  /** Lowers the level in proportion to the time since the last run. */
  private void drain(long now) {
    level = levelAt(now);
    if (level == 0) {
      states = StateFlips.NONE;
      reported = Finding.NONE;
      wish = null;
    }
  }

  private double levelAt(long now) {
    return Math.max(0, level - (now - lastRunAt) / 1e9 * LoopDetector.RUNS_PER_SECOND);
  }

  /** Returns whether this history contains only one run, and does not delay the next one. */
  public boolean isShort() {
    return interval == 0 && level <= 1;
  }

  /** Returns whether this history has no effect any more. */
  public boolean isQuiet(long now) {
    return levelAt(now) == 0 && hold(now).isZero();
  }
}
