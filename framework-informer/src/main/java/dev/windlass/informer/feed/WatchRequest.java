// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import java.time.Duration;

/**
 * A watch of all changes after a version, with bookmarks.
 *
 * @param resourceVersion the last version that was seen
 * @param timeout after which the server ends the watch
 */
public record WatchRequest(String resourceVersion, Duration timeout) {}
