// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.workqueue.Priority;

/** A {@link RequestSink} that takes a priority and a cause with each request. Thread safe. */
@FunctionalInterface
public interface PrioritySink extends RequestSink {

  /** Requests a reconcile with a priority. Never blocks. */
  void add(Request request, Priority priority);

  /**
   * Requests a reconcile with a priority and a cause. Never blocks.
   *
   * @param cause for diagnosis only; requests that differ only in their cause are the same request
   */
  default void add(Request request, Priority priority, Cause cause) {
    add(request, priority);
  }

  @Override
  default void add(Request request) {
    add(request, Priority.NORMAL);
  }
}
