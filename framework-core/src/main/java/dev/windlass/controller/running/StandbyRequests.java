// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.RequestCause;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.workqueue.Priority;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps requests on a replica that is not the leader yet, one per object, and passes them to the
 * queue when the replica becomes the leader. The requests are kept outside the work queue, so that
 * the queue of a standby replica has a depth of 0 and waiting times are measured from the election.
 * Only requests that could not be recomputed later arrive here, because all other sources do not
 * make requests before the election; see {@link dev.windlass.controller.enqueue.Source#warmUp}.
 * This class is thread-safe.
 */
public final class StandbyRequests implements PrioritySink {

  /** The latest cause of a kept request and the most urgent of its priorities. */
  private record Kept(Priority priority, RequestCause cause) {

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
   * Creates an instance without requests.
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

  /**
   * Returns whether requests are passed to the queue. This is the case once this replica has become
   * the leader in the current run.
   */
  public boolean isReleased() {
    return released;
  }

  @Override
  public void add(Request request, Priority priority) {
    add(request, priority, RequestCause.UNKNOWN);
  }

  @Override
  public void add(Request request, Priority priority, RequestCause cause) {
    if (!released && keep(request, new Kept(priority, cause))) {
      return;
    }
    queue.add(request, priority, cause);
  }

  private synchronized boolean keep(Request request, Kept more) {
    if (!released) { // may have been released while waiting for the lock
      kept.merge(request, more, Kept::with);
    }
    return !released;
  }

  /**
   * Passes the kept requests to the queue in the order of arrival. Call this method when this
   * replica has become the leader.
   */
  public void release() {
    Map<Request, Kept> all;
    synchronized (this) {
      released = true;
      all = new LinkedHashMap<>(kept);
      kept.clear();
    }
    all.forEach((request, k) -> queue.add(request, k.priority(), k.cause()));
  }

  /** Returns the number of kept requests. */
  synchronized int size() {
    return kept.size();
  }
}
