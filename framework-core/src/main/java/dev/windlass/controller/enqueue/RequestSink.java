// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.object.ObjectKey;

/** A write-only view of a controller's queue. Implementations are thread-safe. */
@FunctionalInterface
public interface RequestSink {

  /**
   * Requests a reconcile. If the same request is already waiting in the queue, the queue merges the
   * two. This method never blocks.
   */
  void add(Request request);

  /**
   * Requests a reconcile of the object with this key in the event's cluster. In all other respects,
   * this method behaves like {@link #add(Request)}.
   */
  default void add(ObjectKey key) {
    add(new Request(key));
  }

  /**
   * Returns whether this sink still accepts requests. When the source that uses this sink is
   * stopped, the result becomes false and remains false. If the result is still true after a call
   * to {@link #add}, the request has reached the queue.
   */
  default boolean isOpen() {
    return true;
  }
}
