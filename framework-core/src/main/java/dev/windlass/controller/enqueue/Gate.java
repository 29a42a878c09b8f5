// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.workqueue.Priority;

/**
 * The way into a sink for one run of a source. Once {@link #close} has returned, nothing gets
 * through any more, whoever still holds the gate and whatever is under way.
 */
final class Gate implements PrioritySink {

  private final PrioritySink sink;

  @GuardedBy("this")
  private boolean closed;

  Gate(PrioritySink sink) {
    this.sink = sink;
  }

  @Override
  public void add(Request request, Priority priority) {
    add(request, priority, Cause.UNKNOWN);
  }

  @Override
  public synchronized void add(Request request, Priority priority, Cause cause) {
    if (!closed) {
      sink.add(request, priority, cause);
    }
  }

  synchronized void close() {
    closed = true;
  }

  synchronized boolean isOpen() {
    return !closed;
  }
}
