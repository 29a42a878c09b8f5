// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import java.util.Optional;

/**
 * The response to a list or watch request, read while it arrives.
 *
 * <p>Used by one thread. The last event is a {@link FeedEvent.Failed}, or {@link FeedEvent.ListEnd}
 * for a list, or {@link FeedEvent.Ended} for a watch.
 */
public interface FeedStream extends AutoCloseable {

  /** Returns the next event, or empty if none has arrived. Never blocks. */
  Optional<FeedEvent> poll();

  /** Ends the request if it is still running, and releases its resources. Idempotent. */
  @Override
  void close();
}
