// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import java.util.Optional;

/**
 * The answer to a list or watch request, as it arrives.
 *
 * <p>Used by one thread. The last event is a {@link FeedEvent.Failed}, or {@link FeedEvent.ListEnd}
 * for a list, or {@link FeedEvent.Ended} for a watch; nothing follows it.
 */
public interface FeedStream extends AutoCloseable {

  /** The next event, or empty if none has arrived. Never waits. */
  Optional<FeedEvent> poll();

  /** Ends the request if it still runs, and frees what it holds. Repeatable. */
  @Override
  void close();
}
