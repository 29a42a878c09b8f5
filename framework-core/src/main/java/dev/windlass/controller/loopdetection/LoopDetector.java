// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loopdetection;

import dev.windlass.controller.logging.ControllerLog;
import dev.windlass.controller.logging.SafeLog;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.settings.ObjectLookup;
import dev.windlass.object.CachedObject;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Detects reconcile loops, in which a reconcile causes its own next run, or two controllers undo
 * each other's writes.
 *
 * <p>If a request runs often, the detector logs one warning, which names the field that keeps
 * changing in the object that causes the runs. If this object has alternated between two states
 * {@link StateFlips#PROOF} times, the runs make no progress, and the warning calls them a loop. The
 * detector never delays a request: frequent runs can be legitimate. For example, a controller may
 * create the children of a set one by one.
 *
 * <p>Each run raises the level of its request by one, and each second lowers the level by {@link
 * #RUNS_PER_SECOND}. When the generation of the reconciled object changes, the desired state has
 * changed, and the level drops to {@link #SUSPECT}. Above {@link #BURST}, a request runs often.
 * Above {@link #SUSPECT}, the detector looks up and compares the objects that cause the request's
 * runs. When the level is back at zero, the detector forgets what it knows.
 */
public final class LoopDetector {

  /** The level above which a request counts as running often. */
  static final int BURST = 100;

  /**
   * The number of runs per second that a request can sustain indefinitely, for example by polling.
   */
  static final int RUNS_PER_SECOND = 5;

  /** The level above which the detector compares the states of the objects that cause the runs. */
  static final int SUSPECT = 20;

  /**
   * The reason for an immediate run that the previous reconcile requested.
   *
   * @param inARow the number of consecutive runs that had no other reason, including this one
   */
  public record AtOnce(int inARow) {

    /**
     * Returns the number of consecutive runs, up to the run with the given reasons, that were
     * caused only by requests for an immediate run. Returns 0 if the run had another reason.
     */
    public static int before(List<Object> reasons) {
      return reasons.size() == 1 && reasons.get(0) instanceof AtOnce last ? last.inARow() : 0;
    }

    @Override
    public String toString() {
      return "requeueAfter zero";
    }
  }

  private static final Logger log = ControllerLog.get();

  private final String controller;
  private final ObjectLookup lookup;
  private final ControllerListener listener;

  /**
   * Creates a detector.
   *
   * @param lookup provides the objects that cause the runs
   * @param listener the listener that the detector notifies of each detected loop
   */
  public LoopDetector(String controller, ObjectLookup lookup, ControllerListener listener) {
    this.controller = controller;
    this.lookup = lookup;
    this.listener = listener;
  }

  /**
   * Evaluates a run that has just been recorded, on the worker that processes the request.
   *
   * @param reasons the reasons why the request was queued
   */
  public void evaluate(Request request, List<Object> reasons, RunHistory history) {
    if (history.isSuspect() && AtOnce.before(reasons) < BURST) { // the result handler reports these
      CachedObject<?> primary = lookup.primary(request).orElse(null);
      report(history.evaluate(primary, causeOf(reasons)), request, reasons, history.story());
    }
  }

  /** Returns the object of the most recent event among the reasons, or null if there is none. */
  private @Nullable CachedObject<?> causeOf(List<Object> reasons) {
    for (int i = reasons.size() - 1; i >= 0; i--) {
      Optional<? extends CachedObject<?>> found = lookup.behind(reasons.get(i));
      if (found.isPresent()) {
        return found.get();
      }
    }
    return null;
  }

  private void report(
      RunHistory.Finding finding, Request request, List<Object> reasons, String story) {
    switch (finding) {
      case OFTEN ->
          log.warn(
              "{}: '{}' has been reconciled more than {} times in a short time. The last reasons:"
                  + " {}{}",
              controller,
              request,
              BURST,
              reasons,
              story);
      case LOOP -> {
        log.warn(
            "{}: '{}' is being reconciled in a loop. The last reasons: {}{}",
            controller,
            request,
            reasons,
            story);
        SafeLog.safely(listener, each -> each.looping(request));
      }
      case NONE -> {}
    }
  }
}
