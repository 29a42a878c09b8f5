// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reporting;

import dev.windlass.controller.reconcile.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Why each request was queued that waits: the last few reasons of each. For people only. Thread
 * safe.
 */
public final class QueueReasons {

  /** So many of a request are kept, the most recent ones. */
  static final int KEPT = 4;

  /** The reason of a run that a result asked for with a delay. */
  public static final String REQUEUE_AFTER = "requeueAfter";

  /**
   * The reason of a run that a result asked for at once.
   *
   * @param inARow how many such runs there have been, with no other reason in between
   */
  public record AtOnce(int inARow) {

    /** How many there were before a run; 0 if it had other reasons, too. */
    public static int before(List<Object> reasons) {
      return reasons.size() == 1 && reasons.get(0) instanceof AtOnce last ? last.inARow() : 0;
    }

    @Override
    public String toString() {
      return "requeueAfter zero";
    }
  }

  /** Each list is immutable; most have one element, which may be shared. */
  private final ConcurrentHashMap<Request, List<Object>> waiting = new ConcurrentHashMap<>();

  /**
   * The request is about to be queued.
   *
   * @param reason is turned into text only when somebody asks
   */
  public void add(Request request, Object reason) {
    waiting.merge(request, List.of(reason), QueueReasons::append);
  }

  private static List<Object> append(List<Object> old, List<Object> more) {
    List<Object> all = new ArrayList<>(old);
    all.addAll(more);
    return List.copyOf(all.subList(Math.max(0, all.size() - KEPT), all.size()));
  }

  /** Those of a request that waits. */
  public List<Object> of(Request request) {
    return waiting.getOrDefault(request, List.of());
  }

  /** Those of a request that is handed out, which are forgotten. */
  public List<Object> take(Request request) {
    List<Object> reasons = waiting.remove(request);
    return reasons == null ? List.of() : reasons;
  }

  /** Puts back what was taken for a request that must wait some more. */
  public void putBack(Request request, List<Object> reasons) {
    if (!reasons.isEmpty()) {
      waiting.merge(request, reasons, (newer, older) -> append(older, newer));
    }
  }

  /** How many requests have any. */
  public int size() {
    return waiting.size();
  }
}
