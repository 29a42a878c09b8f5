// SPDX-License-Identifier: Apache-2.0
/**
 * Lists and watches over HTTP. The package reads the bytes of a response as they arrive, and
 * divides them into frames without parsing the frames. A frame is an item of a list or an event of
 * a watch.
 *
 * <p>This package receives chunks, which can be compressed, from the client's HTTP transport, and
 * provides a {@link dev.windlass.informer.reflector.FeedStream}. It buffers at most one incomplete
 * frame. A response that ends early never yields a partial object. Read {@link
 * dev.windlass.informer.reflector.http.HttpListerWatcher} first.
 */
@NullMarked
package dev.windlass.informer.reflector.http;

import org.jspecify.annotations.NullMarked;
