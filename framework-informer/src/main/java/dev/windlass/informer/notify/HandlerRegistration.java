// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

/** A handler's place in the fan-out. All methods may be called from any thread. */
public interface HandlerRegistration {

  /** Whether the handler has handled, not merely been sent, everything that the first list held. */
  boolean hasSynced();

  /** How many events wait for the handler. */
  int backlog();

  /**
   * Ends the calls: what waits is dropped. Does not wait for the one event that the handler may be
   * handling, or be about to. Repeatable.
   */
  void remove();
}
