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
 * Keeps requests on a replica that does not lead yet, one for each object, and passes them on when
 * the replica leads. They are kept outside the work queue, so the queue of a stand-by replica is
 * empty: its depth is 0, and waiting times start at the election. Only requests that could not be
 * computed again arrive here: all other sources make no requests before the replica leads ({@link
 * dev.windlass.controller.enqueue.Source#warmUp}). Thread safe.
 */
public final class StandbyRequests implements PrioritySink {

  /** A kept request, with the more urgent of its priorities and the latest cause. */
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
   * Creates an empty stand-by.
   *
   * @param queue receives all requests after the release
   */
  StandbyRequests(PrioritySink queue) {
    this.queue = queue;
  }

  @Override
  public boolean isOpen() {
    return queue.isOpen();
  }

  /** Returns whether this replica leads, or did when it was stopped. */
  public boolean isReleased() {
    return released;
  }

  @Override
  public void add(Request request, Priority priority) {
    add(request, priority, Cause.UNKNOWN);
  }

  @Override
  public void add(Request request, Priority priority, Cause cause) {
    if (!released && keep(request, new Kept(priority, cause))) {
      return;
    }
    queue.add(request, priority, cause);
  }

  private synchronized boolean keep(Request request, Kept more) {
    if (!released) { // it may have been released during the wait for the lock
      kept.merge(request, more, Kept::with);
    }
    return !released;
  }

  /** Passes the kept requests on in the order of arrival, because this replica now leads. */
  public void release() {
    Map<Request, Kept> all;
    synchronized (this) {
      released = true;
      all = new LinkedHashMap<>(kept);
      kept.clear();
    }
    all.forEach((request, k) -> queue.add(request, k.priority(), k.cause()));
  }

  /** Returns how many requests are kept. */
  synchronized int size() {
    return kept.size();
  }
}
