// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.object.ObjectKey;

/**
 * An {@link EventHandler} that keeps state about existing objects. Each source has its own copy,
 * because two sources receive different events.
 */
interface StatefulEventHandler<T> extends EventHandler<T> {

  /** Returns a copy of this handler without its state. */
  StatefulEventHandler<T> fresh();

  /**
   * Removes the state of an object that no longer exists. The enqueuer calls this method if
   * predicates rejected the deletion, because {@link #handle} did not receive it.
   */
  void forget(ObjectKey key);

  /** Removes the state of the objects in a namespace that this source no longer watches. */
  void forgetNamespace(String namespace);

  /**
   * Adds all stored requests to the sink again and removes the state. A restarted source calls this
   * method, because it has missed the changes that happened while it was stopped.
   */
  void recall(RequestSink sink);

  /**
   * Returns a handler with separate state for one source. A handler for a class also accepts events
   * for a subclass, because events only supply objects and never accept them.
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
