// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.RequestCause;
import dev.windlass.controller.loopdetection.QueueReasons;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.workqueue.Priority;
import dev.windlass.workqueue.WorkQueue;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Receives the requests of a run's sources, and puts them into the queue together with their
 * reasons. If the controller ignores its own events, the intake drops requests that the
 * controller's own writes have caused.
 *
 * <p>On a replica that is not the leader yet, the intake keeps one request for each object until
 * the replica becomes the leader. These requests are not in the work queue. The depth of the queue
 * therefore remains 0 on a standby replica, and waiting times begin with the election. Before the
 * election, only sources whose requests cannot be recomputed later add requests; see {@link
 * dev.windlass.controller.enqueue.Source#warmUp}.
 *
 * <p>This class is thread-safe.
 */
final class RequestIntake implements PrioritySink {

  /** The highest priority and the latest cause of a kept request. */
  private record Kept(Priority priority, RequestCause cause) {

    Kept with(Kept later) {
      Priority urgent = later.priority().compareTo(priority) < 0 ? later.priority() : priority;
      return new Kept(urgent, later.cause());
    }
  }

  private final WorkQueue<Request> queue;
  private final QueueReasons reasons;
  private final @Nullable OwnEvents ownEvents;
  private volatile boolean released;
  private volatile boolean closed;

  @GuardedBy("this")
  private final Map<Request, Kept> kept = new LinkedHashMap<>();

  /**
   * Creates an intake without requests.
   *
   * @param ownEvents recognises the controller's own events, or null if the controller does not
   *     ignore them
   */
  RequestIntake(WorkQueue<Request> queue, QueueReasons reasons, @Nullable OwnEvents ownEvents) {
    this.queue = queue;
    this.reasons = reasons;
    this.ownEvents = ownEvents;
  }

  /**
   * Returns whether the run still accepts requests. The result becomes false when shutdown begins,
   * before the queue is shut down.
   */
  @Override
  public boolean isOpen() {
    return !closed;
  }

  void close() {
    closed = true;
  }

  /**
   * Returns whether the intake passes requests to the queue. This is the case if the current run
   * did not begin on a standby replica, or if this replica has since become the leader.
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
    pass(request, priority, cause);
  }

  private void pass(Request request, Priority priority, RequestCause cause) {
    if (ownEvents == null || cause.change() == null || cause.key() == null) {
      enqueue(request, priority, cause);
    } else {
      ownEvents.decide(
          request, cause.key(), cause.change(), () -> enqueue(request, priority, cause));
    }
  }

  private void enqueue(Request request, Priority priority, RequestCause cause) {
    reasons.add(request, cause); // first, because a worker can take the request immediately
    queue.add(request, priority);
  }

  private synchronized boolean keep(Request request, Kept more) {
    if (!released) { // may have been released while waiting for the lock
      kept.merge(request, more, Kept::with);
    }
    return !released;
  }

  /**
   * Passes the kept requests to the queue, in the order in which they arrived. The intake passes
   * all later requests directly. Call this method when this replica has become the leader.
   */
  public void release() {
    Map<Request, Kept> all;
    synchronized (this) {
      released = true;
      all = new LinkedHashMap<>(kept);
      kept.clear();
    }
    all.forEach((request, k) -> pass(request, k.priority(), k.cause()));
  }

  /** Returns the number of kept requests. */
  synchronized int size() {
    return kept.size();
  }
}
