// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.keys;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.PrioritySink;
import dev.windlass.controller.enqueue.RequestCause;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.workqueue.Priority;
import java.util.ArrayList;
import java.util.List;

/**
 * A sink that forwards requests to another sink until it is closed. A controller puts a gate before
 * each source: after {@link #close} has returned, no further request passes the gate, even if other
 * threads still add requests.
 *
 * <p>This class is thread-safe. Any number of requests can pass the gate concurrently. The gate
 * does not hold a lock while a request passes, because the sink may call the queue's listener,
 * which is user code.
 */
public final class RequestGate implements PrioritySink {

  private final PrioritySink sink;

  @GuardedBy("this")
  private boolean shut;

  /** The threads that are currently adding a request, with one entry for each call. */
  @GuardedBy("this")
  private final List<Thread> passing = new ArrayList<>(2);

  public RequestGate(PrioritySink sink) {
    this.sink = sink;
  }

  @Override
  public void add(Request request, Priority priority) {
    add(request, priority, RequestCause.UNKNOWN);
  }

  /** Forwards the request to the sink if the gate is open. Otherwise, drops the request. */
  @Override
  public void add(Request request, Priority priority, RequestCause cause) {
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

  /**
   * Closes the gate without waiting for requests that are still passing through it. This method is
   * idempotent.
   */
  public synchronized void shut() {
    shut = true;
  }

  /**
   * Closes the gate and waits until all requests of other threads have passed through it. This
   * method is idempotent.
   */
  public void close() {
    shut();
    if (awaitOthers()) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until no other thread is adding a request. An interrupt does not end the wait.
   *
   * @return whether the calling thread was interrupted while it waited
   */
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
