// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.Cause;
import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.workqueue.Priority;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps what is asked for on a replica that does not lead yet, once for each object, and passes it
 * on when the replica leads. It stands before the work queue, so that a stand-by's queue is empty:
 * its depth is 0, and waits count from the election. What could be computed again does not come
 * here at all: such sources make no request before the replica leads ({@link
 * dev.windlass.controller.enqueue.Source#warmUp}). Thread safe.
 */
public final class StandbyRequests {

  /** A request that is kept: under the more urgent of the priorities, for the latest cause. */
  private record Kept(Priority priority, Cause cause) {

    Kept with(Kept later) {
      Priority urgent = later.priority().compareTo(priority) < 0 ? later.priority() : priority;
      return new Kept(urgent, later.cause());
    }
  }

  private final PrioritySink queue;
  private volatile boolean released;

  @GuardedBy("this")
  private final Map<Request, Kept> kept = new LinkedHashMap<>();

  /**
   * A stand-by.
   *
   * @param queue where everything goes from the release on
   */
  StandbyRequests(PrioritySink queue) {
    this.queue = queue;
  }

  /** Whether this replica leads, or did when it was stopped. */
  public boolean isReleased() {
    return released;
  }

  public void add(Request request, Priority priority, Cause cause) {
    if (!released && keep(request, new Kept(priority, cause))) {
      return;
    }
    queue.add(request, priority, cause);
  }

  private synchronized boolean keep(Request request, Kept more) {
    if (!released) { // else it was released while we waited for the lock
      kept.merge(request, more, Kept::with);
    }
    return !released;
  }

  /** This replica leads: passes on what was kept, in the order of arrival. */
  public void release() {
    Map<Request, Kept> all;
    synchronized (this) {
      released = true;
      all = new LinkedHashMap<>(kept);
      kept.clear();
    }
    all.forEach((request, k) -> queue.add(request, k.priority(), k.cause()));
  }

  /** How many are kept. */
  synchronized int size() {
    return kept.size();
  }
}
