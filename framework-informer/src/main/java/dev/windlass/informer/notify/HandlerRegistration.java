// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import java.time.Duration;

/**
 * The registration of a handler. All methods may be called from any thread, including the handler's
 * own, and none waits.
 */
public interface HandlerRegistration {

  /**
   * Returns the handler's name in logs and health checks: the name of the thread that calls it, or
   * a separate name if several threads take turns.
   */
  String name();

  /**
   * Reports whether the handler has handled the complete first list, rather than only received it.
   */
  boolean hasSynced();

  /**
   * Returns how many events are pending for the handler, not including the one that it is handling.
   */
  int backlog();

  /**
   * Returns the time since the arrival of the event being handled or, if none is, of the next one;
   * zero if there is none. It grows while the handler blocks.
   */
  Duration lag();

  /** Returns how many calls of the handler have ended, by returning or by throwing. */
  long delivered();

  /** Returns how many calls of the handler have ended by throwing; each one lost its event. */
  long failures();

  /**
   * Removes the handler: pending events are dropped, and neither events nor the handler are
   * retained. Does not wait for a call that is in progress or about to begin. Idempotent.
   */
  void remove();
}
