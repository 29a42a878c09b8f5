// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.object.Projection;
import java.time.Duration;

/**
 * A request for a watch with bookmarks. The watch delivers all changes after a resource version.
 *
 * @param resourceVersion the resource version after which the watch starts; empty for a streaming
 *     list
 * @param timeout the time after which the server ends the watch
 * @param initialEvents whether to request a streaming list. In a streaming list, the server first
 *     sends all objects as additions, and then a bookmark with {@link
 *     FeedEvent.Bookmark#initialEventsEnd}
 * @param projection the part of each object to return; {@link Projection#METADATA} returns only the
 *     metadata
 */
public record WatchRequest(
    String resourceVersion, Duration timeout, boolean initialEvents, Projection projection) {

  /** Creates a request for a watch of whole objects that starts after a resource version. */
  public WatchRequest(String resourceVersion, Duration timeout) {
    this(resourceVersion, timeout, false, Projection.STRIPPED);
  }
}
