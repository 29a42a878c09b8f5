// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.workqueue.Priority;

/**
 * A {@link RequestSink} that can tell urgent requests from others, and that learns why they are
 * made. Thread safe.
 */
@FunctionalInterface
public interface PrioritySink extends RequestSink {

  /** Asks for a reconcile under a priority. Never blocks. */
  void add(Request request, Priority priority);

  /**
   * Asks for a reconcile under a priority, for a cause. Never blocks.
   *
   * @param cause for diagnosis only; requests with different causes are the same request
   */
  default void add(Request request, Priority priority, Cause cause) {
    add(request, priority);
  }

  @Override
  default void add(Request request) {
    add(request, Priority.NORMAL);
  }
}
