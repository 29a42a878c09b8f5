// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.object.ObjectKey;

/** A write-only view of a controller's queue. Implementations are thread-safe. */
@FunctionalInterface
public interface RequestSink {

  /**
   * Requests a reconcile. A request that is already waiting is not duplicated. This method never
   * blocks.
   */
  void add(Request request);

  /**
   * Requests a reconcile of the object with this key in the cluster of the event. It behaves like
   * {@link #add(Request)}.
   */
  default void add(ObjectKey key) {
    add(new Request(key));
  }

  /**
   * Returns whether requests still have an effect. The result becomes false permanently when the
   * source of this sink is stopped. If it is still true after {@link #add}, the request has reached
   * the queue.
   */
  default boolean isOpen() {
    return true;
  }
}
