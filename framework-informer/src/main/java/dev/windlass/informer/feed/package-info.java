// SPDX-License-Identifier: Apache-2.0
/**
 * Stage 1, the feed: follows the API server's objects of one type.
 *
 * <p>In: the byte streams of list and watch requests, which a {@link
 * dev.windlass.informer.feed.ListerWatcher} cuts into {@link
 * dev.windlass.informer.feed.FeedEvent}s. Out: changes in the server's order, to a {@link
 * dev.windlass.informer.feed.ChangeSink}. Invariant: the {@link
 * dev.windlass.informer.feed.Reflector} resumes where it stopped, and lists everything again if it
 * can't resume, so no change is lost; it never gives up. Threads: the reflector's loop; transport
 * threads only hand over bytes and wake it. Previous: {@link dev.windlass.object}. Next: {@link
 * dev.windlass.informer.fifo}.
 */
@NullMarked
package dev.windlass.informer.feed;

import org.jspecify.annotations.NullMarked;
