// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.object.ObjectKey;

/**
 * An {@link EventHandler} that stores state for existing objects. Each source uses its own copy of
 * the handler, because different sources receive different events.
 */
interface StatefulEventHandler<T> extends EventHandler<T> {

  /** Returns a copy of this handler that has no state yet. */
  StatefulEventHandler<T> fresh();

  /**
   * Removes the state of a deleted object. The enqueuer calls this method if a predicate rejected
   * the deletion event, because {@link #handle} then does not receive the event.
   */
  void forget(ObjectKey key);

  /** Removes the state of all objects in a namespace that the source no longer watches. */
  void forgetNamespace(String namespace);

  /**
   * Returns a copy of the given handler with its own state. If the handler has no state, returns
   * the handler itself. The cast is safe, because a handler only reads the objects in events.
   */
  @SuppressWarnings("unchecked")
  static <T> EventHandler<T> own(EventHandler<? super T> given) {
    EventHandler<T> handler = (EventHandler<T>) given;
    if (handler instanceof EventHandler.ByType<T> byType) {
      return byType.fresh();
    }
    return handler instanceof StatefulEventHandler<T> memory ? memory.fresh() : handler;
  }
}
