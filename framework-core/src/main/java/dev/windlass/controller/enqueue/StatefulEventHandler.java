// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.object.ObjectKey;

/**
 * An {@link EventHandler} that keeps state about existing objects. Each source has its own copy,
 * because two sources see different events.
 */
interface StatefulEventHandler<T> extends EventHandler<T> {

  /** Returns the same handler without state. */
  StatefulEventHandler<T> fresh();

  /**
   * Forgets an object that is gone. Called if predicates rejected the deletion, so that {@link
   * #handle} did not see it.
   */
  void forget(ObjectKey key);

  /** Forgets the objects of a namespace that this source no longer watches. */
  void forgetNamespace(String namespace);

  /**
   * Requests everything that is remembered, and forgets it. Called when a source is restarted,
   * because it did not see what happened meanwhile.
   */
  void recall(RequestSink sink);

  /**
   * Returns the handler for one source. A handler for a class also accepts objects of a subclass,
   * since an event only hands them out.
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
