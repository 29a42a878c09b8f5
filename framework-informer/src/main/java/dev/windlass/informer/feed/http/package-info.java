// SPDX-License-Identifier: Apache-2.0
/**
 * Lists and watches over HTTP: reads the bytes of a response as they arrive, and cuts them into
 * objects and events without parsing them.
 *
 * <p>In: the chunks of fabric8's transport, which may be compressed. Out: a {@link
 * dev.windlass.informer.feed.FeedStream}. Invariant: no more than one frame is held in memory, and
 * a response that ends early yields no partial object. Read {@link
 * dev.windlass.informer.feed.http.HttpListerWatcher} first.
 */
@NullMarked
package dev.windlass.informer.feed.http;

import org.jspecify.annotations.NullMarked;
