// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loopdetection;

import dev.windlass.controller.reconcile.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stores the reasons why each waiting request was queued, for logs and diagnosis. It keeps only the
 * most recent reasons. This class is thread-safe.
 */
public final class QueueReasons {

  /** The maximum number of reasons kept for each request. Older reasons are dropped. */
  static final int KEPT = 4;

  /** The reason for a run that the previous reconcile requested, with a delay greater than zero. */
  public static final String REQUEUE_AFTER = "requeueAfter";

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

  /**
   * The reasons for each waiting request. The lists are immutable. Most lists have one element, and
   * several lists can share an element.
   */
  private final ConcurrentHashMap<Request, List<Object>> waiting = new ConcurrentHashMap<>();

  /**
   * Records a reason for a request that is about to be queued.
   *
   * @param reason the reason; it is converted to a string only when a log or a diagnosis needs it
   */
  public void add(Request request, Object reason) {
    waiting.merge(request, List.of(reason), QueueReasons::append);
  }

  private static List<Object> append(List<Object> old, List<Object> more) {
    List<Object> all = new ArrayList<>(old);
    all.addAll(more);
    return List.copyOf(all.subList(Math.max(0, all.size() - KEPT), all.size()));
  }

  /** Returns the reasons for the given waiting request. */
  public List<Object> of(Request request) {
    return waiting.getOrDefault(request, List.of());
  }

  /** Removes and returns the reasons for a request that a worker has taken from the queue. */
  public List<Object> take(Request request) {
    List<Object> reasons = waiting.remove(request);
    return reasons == null ? List.of() : reasons;
  }

  /** Restores the reasons for a request that must continue to wait. */
  public void putBack(Request request, List<Object> reasons) {
    if (!reasons.isEmpty()) {
      waiting.merge(request, reasons, (newer, older) -> append(older, newer));
    }
  }

  /** Returns the number of requests for which reasons are stored. */
  public int size() {
    return waiting.size();
  }
}
