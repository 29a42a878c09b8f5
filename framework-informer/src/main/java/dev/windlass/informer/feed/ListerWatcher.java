// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.failure.RequiredPermission;
import java.util.List;

/**
 * Opens lists and watches of one type on an API server. This is the boundary between the framework
 * and the transport.
 *
 * <p>{@link #list} and {@link #watch} neither block nor throw: the stream of a request reports its
 * failure. The reflector's thread calls both.
 */
public interface ListerWatcher {

  /**
   * Requests one page of objects.
   *
   * @param wakeUp called by any thread when the stream has new events to poll
   */
  FeedStream list(ListRequest request, Runnable wakeUp);

  /**
   * Requests all changes after a version.
   *
   * @param wakeUp called by any thread when the stream has new events to poll
   */
  FeedStream watch(WatchRequest request, Runnable wakeUp);

  /**
   * Reports whether a list may be requested as a watch with {@link WatchRequest#initialEvents}. If
   * the server rejects such a request, pages are requested instead, so an implementation may return
   * true if it supports the protocol.
   */
  default boolean streamsLists() {
    return false;
  }

  /** Returns a description of what is watched and where, for log and exception messages. */
  String describe();

  /** Returns the permission that the requests need, for log and exception messages. */
  default RequiredPermission access() {
    return new RequiredPermission(List.of("list", "watch"), "this resource", "", "");
  }
}
