// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.Projection;
import java.time.Duration;

/**
 * A request for a watch of all changes after a version, with bookmarks.
 *
 * @param resourceVersion the last version that was seen; empty in a streaming list
 * @param timeout the time after which the server ends the watch
 * @param initialEvents whether this is a streaming list: the server first sends all objects as
 *     additions, and then a bookmark that is marked as {@link FeedEvent.Bookmark#initialEventsEnd}
 * @param projection {@link Projection#METADATA} to receive only the metadata of each object
 */
public record WatchRequest(
    String resourceVersion, Duration timeout, boolean initialEvents, Projection projection) {

  /** Creates a request for a watch of whole objects that continues from a version. */
  public WatchRequest(String resourceVersion, Duration timeout) {
    this(resourceVersion, timeout, false, Projection.STRIPPED);
  }
}
