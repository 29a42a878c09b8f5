// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.reconcile.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Why each request was queued that waits: the last few reasons of each. For people only. Thread
 * safe.
 */
final class Reasons {

  /** So many of a request are kept, the most recent ones. */
  static final int KEPT = 4;

  /** Each list is immutable; most have one element, which may be shared. */
  private final ConcurrentHashMap<Request, List<Object>> waiting = new ConcurrentHashMap<>();

  /**
   * The request is about to be queued.
   *
   * @param reason is turned into text only when somebody asks
   */
  void add(Request request, Object reason) {
    waiting.merge(request, List.of(reason), Reasons::append);
  }

  private static List<Object> append(List<Object> old, List<Object> more) {
    List<Object> all = new ArrayList<>(old);
    all.addAll(more);
    return List.copyOf(all.subList(Math.max(0, all.size() - KEPT), all.size()));
  }

  /** Those of a request that waits. */
  List<Object> of(Request request) {
    return waiting.getOrDefault(request, List.of());
  }

  /** Those of a request that is handed out, which are forgotten. */
  List<Object> take(Request request) {
    List<Object> reasons = waiting.remove(request);
    return reasons == null ? List.of() : reasons;
  }

  /** Puts back what was taken for a request that must wait some more. */
  void putBack(Request request, List<Object> reasons) {
    if (!reasons.isEmpty()) {
      waiting.merge(request, reasons, (newer, older) -> append(older, newer));
    }
  }

  /** How many requests have any. */
  int size() {
    return waiting.size();
  }
}
