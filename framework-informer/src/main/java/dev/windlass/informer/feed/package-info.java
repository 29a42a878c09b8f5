// SPDX-License-Identifier: Apache-2.0
/**
 * Stage 1, the feed: follows the changes of the objects of one type on the API server.
 *
 * <p>In: the byte streams of list and watch requests, which a {@link
 * dev.windlass.informer.feed.ListerWatcher} cuts into {@link
 * dev.windlass.informer.feed.FeedEvent}s. Out: changes in the server's order, to a {@link
 * dev.windlass.informer.feed.ChangeSink}. Invariant: the {@link
 * dev.windlass.informer.feed.Reflector} resumes where it stopped, and lists everything again if it
 * can't resume, so no change is lost; it retries for ever. Threads: the reflector's loop; transport
 * threads only pass on bytes and wake the loop. Previous: {@link dev.windlass.object}. Next: {@link
 * dev.windlass.informer.fifo}.
 */
@NullMarked
package dev.windlass.informer.feed;

import org.jspecify.annotations.NullMarked;
