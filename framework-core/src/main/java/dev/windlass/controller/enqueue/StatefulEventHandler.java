// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.object.ObjectKey;

/**
 * An {@link EventHandler} that remembers something of the objects that exist. Each source has a
 * copy of its own, as two sources hear of different events.
 */
interface StatefulEventHandler<T> extends EventHandler<T> {

  /** The same handler without memories. */
  StatefulEventHandler<T> fresh();

  /** The object is gone, and predicates kept that from {@link #handle}. */
  void forget(ObjectKey key);

  /** The objects of a namespace are none of this source any more. */
  void forgetNamespace(String namespace);

  /**
   * Requests all that is remembered, and forgets it. For a source that is started again: nobody
   * tells it what happened in the meantime.
   */
  void recall(RequestSink sink);

  /**
   * The handler for one source. One of objects of a class will do for objects of a subclass: an
   * event only hands them out.
   */
  @SuppressWarnings("unchecked")
  static <T> EventHandler<T> own(EventHandler<? super T> given) {
    EventHandler<T> handler = (EventHandler<T>) given;
    if (handler instanceof EventHandlerByType<T> byType) {
      return byType.fresh();
    }
    return handler instanceof StatefulEventHandler<T> memory ? memory.fresh() : handler;
  }
}
