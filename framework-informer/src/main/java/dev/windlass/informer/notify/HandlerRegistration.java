// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import java.time.Duration;

/**
 * A handler's registration. All methods can be called from any thread, including the handler's
 * thread, and never wait.
 */
public interface HandlerRegistration {

  /**
   * Returns the name that logs and health checks use for the handler. This is the name of the
   * handler's thread, or a distinct name if several threads call the handler in turn.
   */
  String name();

  /**
   * Returns whether the handler has handled, and not only received, all objects of the informer's
   * first list. For a handler that is added later, these are the objects that the cache contains
   * when the handler is added.
   */
  boolean hasSynced();

  /**
   * Returns the number of events that are pending for the handler, not including the event being
   * handled.
   */
  int backlog();

  /**
   * Returns the time since the arrival of the event being handled. If no event is being handled,
   * returns the time since the arrival of the next event, or zero if there are no pending events.
   * The time increases while the handler blocks.
   */
  Duration lag();

  /** Returns how many calls to the handler have completed, normally or with an exception. */
  long delivered();

  /**
   * Returns how many calls to the handler threw an exception. The events of these calls are lost.
   */
  long failures();

  /**
   * Removes the handler. Drops the pending events and releases the handler for garbage collection.
   * This method does not wait for a call that is in progress or about to begin. It is idempotent.
   */
  void remove();
}
