// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.failure.RequiredPermission;
import dev.windlass.object.Projection;
import java.time.Duration;
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
   * A request for a watch with bookmarks. The watch delivers all changes after a resource version.
   *
   * @param resourceVersion the resource version after which the watch starts; empty for a streaming
   *     list
   * @param timeout the time after which the server ends the watch
   * @param initialEvents whether to request a streaming list. In a streaming list, the server first
   *     sends all objects as additions, and then a bookmark with {@link
   *     FeedEvent.Bookmark#initialEventsEnd}
   * @param projection the part of each object to return; {@link Projection#METADATA} returns only
   *     the metadata
   */
  record WatchRequest(
      String resourceVersion, Duration timeout, boolean initialEvents, Projection projection) {

    /** Creates a request for a watch of whole objects that starts after a resource version. */
    public WatchRequest(String resourceVersion, Duration timeout) {
      this(resourceVersion, timeout, false, Projection.STRIPPED);
    }
  }

  /**
   * A request for one page of a list. The request does not specify a resource version, so the list
   * reflects all writes that preceded the request.
   *
   * @param limit the maximum number of objects in the page; 0 for all objects
   * @param continueToken the token that was returned with the previous page; empty for the first
   *     page
   * @param projection the part of each object to return; {@link Projection#METADATA} returns only
   *     the metadata
   */
  record ListRequest(int limit, String continueToken, Projection projection) {

    /** Creates a request for a page of whole objects. */
    public ListRequest(int limit, String continueToken) {
      this(limit, continueToken, Projection.STRIPPED);
    }
  }

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
