// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.failure.RequiredPermission;
import java.util.List;

/**
 * Lists and watches the objects of one type on an API server. This interface separates the
 * framework from the transport.
 *
 * <p>{@link #list} and {@link #watch} do not block and do not throw exceptions. If a request fails,
 * its stream reports the failure. Only the reflector's thread calls these methods.
 */
public interface ListerWatcher {

  /**
   * Requests one page of objects.
   *
   * @param wakeUp the callback to run when the stream has new events; any thread can run it
   */
  FeedStream list(ListRequest request, Runnable wakeUp);

  /**
   * Requests a watch.
   *
   * @param wakeUp the callback to run when the stream has new events; any thread can run it
   */
  FeedStream watch(WatchRequest request, Runnable wakeUp);

  /**
   * Returns whether this implementation supports streaming lists; see {@link
   * WatchRequest#initialEvents}. The server does not have to support them: if it rejects such a
   * request, the reflector requests the list in pages.
   */
  default boolean streamsLists() {
    return false;
  }

  /**
   * Returns a description of the watched objects and their server, for use in log and exception
   * messages.
   */
  String describe();

  /** Returns the permission that the requests require, for use in log and exception messages. */
  default RequiredPermission access() {
    return new RequiredPermission(List.of("list", "watch"), "this resource", "", "");
  }
}
