// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.workqueue.Priority;
import java.util.ArrayList;
import java.util.List;

/**
 * The way into a sink for one run of a source: what a {@link Source} of your own puts between its
 * threads and the sink that it was given, so that its stop keeps what it promises. Once {@link
 * #close} has returned, nothing gets through any more, whoever still holds the gate and whatever is
 * under way.
 *
 * <p>All methods may be called from any thread. Any number of threads may pass at a time, and no
 * lock is held while they do, since the listener of a queue hears of requests on their way.
 */
public final class Gate implements PrioritySink {

  private final PrioritySink sink;

  @GuardedBy("this")
  private boolean shut;

  /** Who is on the way, once for each call. */
  @GuardedBy("this")
  private final List<Thread> passing = new ArrayList<>(2);

  /** An open gate. */
  public Gate(PrioritySink sink) {
    this.sink = sink;
  }

  @Override
  public void add(Request request, Priority priority) {
    add(request, priority, Cause.UNKNOWN);
  }

  /** Lets the request through, if the gate is open. */
  @Override
  public void add(Request request, Priority priority, Cause cause) {
    if (enter()) {
      try {
        sink.add(request, priority, cause);
      } finally {
        leave();
      }
    }
  }

  private synchronized boolean enter() {
    return !shut && passing.add(Thread.currentThread());
  }

  private synchronized void leave() {
    passing.remove(Thread.currentThread());
    if (shut) {
      notifyAll();
    }
  }

  @Override
  public synchronized boolean isOpen() {
    return !shut && sink.isOpen();
  }

  /** Lets nobody in any more. Does not wait for who is on the way. Repeatable. */
  public synchronized void shut() {
    shut = true;
  }

  /**
   * Lets nobody in any more, and waits until nobody is on the way, but for the calling thread
   * itself. Repeatable.
   */
  public void close() {
    shut();
    if (awaitOthers()) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether somebody interrupted that, which does not end it. */
  private synchronized boolean awaitOthers() {
    boolean interrupted = false;
    while (passing.stream().anyMatch(thread -> thread != Thread.currentThread())) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
