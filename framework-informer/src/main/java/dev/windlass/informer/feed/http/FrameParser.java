// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed.http;

import dev.windlass.informer.feed.FeedEvent;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Cuts the bytes of one response into events, regardless of the pieces in which they arrive. */
interface FrameParser {

  /** Maximum size of one object in bytes; etcd accepts only a fraction of this. */
  int MAX_FRAME = 64 * 1024 * 1024;

  /**
   * Processes the next bytes and passes on the events that they complete. Events may be views of
   * the buffer's array; if the buffer is read-only, their bytes are copied.
   *
   * @throws dev.windlass.object.MalformedObjectException if the bytes do not have the expected
   *     format
   */
  void accept(ByteBuffer bytes, Consumer<FeedEvent> events);

  /** Returns the event that ends the response. Called when no more bytes follow. */
  FeedEvent end();

  /** Releases the parser's resources, after the end or instead of it. Idempotent. */
  default void close() {}
}
