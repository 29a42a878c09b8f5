// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.object.ObjectKey;

/** Where requests are put: a controller's queue, as those see it who only fill it. Thread safe. */
@FunctionalInterface
public interface RequestSink {

  /** Asks for a reconcile. Requests that wait already are not doubled. Never blocks. */
  void add(Request request);

  /**
   * Asks for a reconcile of the object with this key in the cluster where the event happened, as
   * {@link #add(Request)}.
   */
  default void add(ObjectKey key) {
    add(new Request(key));
  }

  /**
   * Whether requests still lead anywhere. It is false for ever once the source that the sink was
   * given to is stopped, so if it is true after {@link #add}, the request got through.
   */
  default boolean isOpen() {
    return true;
  }
}
