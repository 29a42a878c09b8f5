// SPDX-License-Identifier: Apache-2.0
/**
 * Lists and watches over HTTP. The package reads the bytes of a response as they arrive, and
 * divides them into frames without parsing the frames. A frame is an item of a list or an event of
 * a watch.
 *
 * <p>This package receives the chunks of fabric8's transport, which can be compressed, and provides
 * a {@link dev.windlass.informer.reflector.FeedStream}. It stores at most one frame in memory, and
 * a response that ends early never yields a partial object. Read {@link
 * dev.windlass.informer.reflector.http.HttpListerWatcher} first.
 */
@NullMarked
package dev.windlass.informer.reflector.http;

import org.jspecify.annotations.NullMarked;
