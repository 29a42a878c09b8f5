// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import java.util.Optional;

/**
 * The events of a response to a list or watch request. Events can be read while the response
 * arrives.
 *
 * <p>Only one thread uses a stream. The last event is {@link FeedEvent.ListEnd} for a list, {@link
 * FeedEvent.Ended} for a watch, or {@link FeedEvent.Failed} if the request failed.
 */
public interface FeedStream extends AutoCloseable {

  /** Returns the next event, or empty if none has arrived. This method never blocks. */
  Optional<FeedEvent> poll();

  /**
   * Cancels the request if it is still running, and releases its resources. This method is
   * idempotent.
   */
  @Override
  void close();
}
