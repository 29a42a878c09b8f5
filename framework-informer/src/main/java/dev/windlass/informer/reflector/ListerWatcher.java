// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.failure.RequiredPermission;
import java.util.List;

/**
 * Opens lists and watches of one type on an API server. This interface is the boundary between the
 * framework and the transport.
 *
 * <p>{@link #list} and {@link #watch} do not block or throw exceptions. If a request fails, its
 * stream reports the failure. The reflector's thread calls both methods.
 */
public interface ListerWatcher {

  /**
   * Requests one page of objects.
   *
   * @param wakeUp the callback to call when the stream has new events to poll; any thread can call
   *     it
   */
  FeedStream list(ListRequest request, Runnable wakeUp);

  /**
   * Requests all changes after a version.
   *
   * @param wakeUp the callback to call when the stream has new events to poll; any thread can call
   *     it
   */
  FeedStream watch(WatchRequest request, Runnable wakeUp);

  /**
   * Returns whether a list can be requested as a watch with {@link WatchRequest#initialEvents}. If
   * the server rejects this request, the reflector requests pages instead. An implementation that
   * supports the protocol can therefore return true for any server.
   */
  default boolean streamsLists() {
    return false;
  }

  /**
   * Returns a description of the watched objects and their server, for log and exception messages.
   */
  String describe();

  /** Returns the permission that the requests require, for log and exception messages. */
  default RequiredPermission access() {
    return new RequiredPermission(List.of("list", "watch"), "this resource", "", "");
  }
}
