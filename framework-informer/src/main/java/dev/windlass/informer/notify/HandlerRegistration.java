// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import java.time.Duration;

/**
 * A handler's place in the fan-out. All methods may be called from any thread, the handler's own
 * included, and none waits.
 */
public interface HandlerRegistration {

  /**
   * What the handler is called in logs and health: the name of the thread that calls it, or of its
   * own if several take turns.
   */
  String name();

  /** Whether the handler has handled, not merely been sent, everything that the first list held. */
  boolean hasSynced();

  /** How many events wait for the handler; the one that it is handling is not among them. */
  int backlog();

  /**
   * How long ago the event came that the handler is handling, or has to handle next; zero if there
   * is none. It grows while the handler blocks.
   */
  Duration lag();

  /** How many calls of the handler have ended, by returning or by throwing. */
  long delivered();

  /** How many calls of the handler have ended by throwing; each one lost its event. */
  long failures();

  /**
   * Ends the calls: what waits is dropped, and neither events nor the handler are held on to. Does
   * not wait for the one event that the handler may be handling, or be about to. Repeatable.
   */
  void remove();
}
