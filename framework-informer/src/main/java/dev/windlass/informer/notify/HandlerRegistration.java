// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import java.time.Duration;

/**
 * The registration of an event handler. All methods can be called from any thread, including the
 * thread that calls the handler. They never block.
 */
public interface HandlerRegistration {

  /**
   * Returns the name that logs and health checks use for the handler. If a single thread calls the
   * handler, this is the thread's name.
   */
  String name();

  /**
   * Returns whether the handler has processed all objects in the informer's initial list. If the
   * handler was added after that list, the objects in the cache at that time take the place of the
   * list.
   */
  boolean hasSynced();

  /**
   * Returns the number of events that are pending for the handler, not including the event being
   * handled.
   */
  int backlog();

  /**
   * Returns the time since the arrival of the oldest event that the handler has not finished
   * processing, or zero if there is none. The time increases while the handler blocks.
   */
  Duration lag();

  /**
   * Returns the number of completed calls to the handler, including calls that threw an exception.
   */
  long delivered();

  /**
   * Returns the number of calls to the handler that threw an exception. The events of these calls
   * are not delivered again.
   */
  long failures();

  /**
   * Removes the handler. Drops the pending events and releases the handler for garbage collection.
   * This method does not wait for a call that is in progress or about to begin. It is idempotent.
   */
  void remove();
}
