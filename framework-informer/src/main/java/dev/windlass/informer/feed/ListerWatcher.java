// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.failure.RequiredPermission;
import java.util.List;

/**
 * Opens lists and watches of one type on an API server. This is the boundary between the framework
 * and the transport.
 *
 * <p>{@link #list} and {@link #watch} neither block nor throw: a request that fails reports this
 * through its stream. Both are called by one thread, the reflector's.
 */
public interface ListerWatcher {

  /**
   * Requests one page of objects.
   *
   * @param wakeUp called by any thread when the stream has something new to poll
   */
  FeedStream list(ListRequest request, Runnable wakeUp);

  /**
   * Requests all changes after a version.
   *
   * @param wakeUp called by any thread when the stream has something new to poll
   */
  FeedStream watch(WatchRequest request, Runnable wakeUp);

  /**
   * Reports whether a list may be requested as a watch with {@link WatchRequest#initialEvents}. If
   * the server rejects that, pages are requested instead, so support for the protocol is enough.
   */
  default boolean streamsLists() {
    return false;
  }

  /** Returns what is watched and where, for messages to people. */
  String describe();

  /** Returns what it needs permissions for, for messages to people. */
  default RequiredPermission access() {
    return new RequiredPermission(List.of("list", "watch"), "this resource", "", "");
  }
}
