// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.workqueue.Priority;

/**
 * A {@link RequestSink} that accepts a priority and a cause with each request. Implementations are
 * thread-safe.
 */
@FunctionalInterface
public interface PrioritySink extends RequestSink {

  /** Requests a reconcile with the given priority. This method never blocks. */
  void add(Request request, Priority priority);

  /**
   * Requests a reconcile with the given priority and cause. This method never blocks.
   *
   * @param cause the cause of the request. It is used for diagnosis, and to recognise events that
   *     result from the controller's own writes. The queue merges requests that differ only in
   *     their cause
   */
  default void add(Request request, Priority priority, RequestCause cause) {
    add(request, priority);
  }

  @Override
  default void add(Request request) {
    add(request, Priority.NORMAL);
  }
}
