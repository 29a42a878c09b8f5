// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.loopdetection;

import dev.windlass.controller.reconcile.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stores the most recent reasons why each waiting request was queued, for logs and diagnosis. This
 * class is thread-safe.
 */
public final class QueueReasons {

  /** The maximum number of reasons kept for each request. Older reasons are dropped. */
  static final int KEPT = 4;

  /** The reason for a run that an earlier reconcile requested with a delay. */
  public static final String REQUEUE_AFTER = "requeueAfter";

  /**
   * The reason for an immediate run that an earlier reconcile requested.
   *
   * @param inARow the number of consecutive runs that had no other reason
   */
  public record AtOnce(int inARow) {

    /**
     * Returns the length of the series of consecutive immediate runs that ends with the run that
     * has the given reasons. Returns 0 if a request for an immediate run is not the only reason.
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
   * The reasons, keyed by request. Each list is immutable. Most lists have one element, and several
   * lists can share an element.
   */
  private final ConcurrentHashMap<Request, List<Object>> waiting = new ConcurrentHashMap<>();

  /**
   * Records the given reason for a request that is about to be queued.
   *
   * @param reason the reason, whose string form is created only when a log or a diagnosis needs it
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

  /** Removes and returns the reasons for the given request, which a worker has taken. */
  public List<Object> take(Request request) {
    List<Object> reasons = waiting.remove(request);
    return reasons == null ? List.of() : reasons;
  }

  /** Restores the reasons for a request that must wait longer. */
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
