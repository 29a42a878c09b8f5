// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Cuts the bytes of one response into events, whatever the pieces in which they arrive. */
interface FrameParser {

  /** The most bytes that one object may have; etcd refuses more than a fraction of it. */
  int MAX_FRAME = 64 * 1024 * 1024;

  /**
   * Takes the next bytes and hands out the events that they complete. Events may be views into the
   * buffer's array, unless the buffer is read only: then what they need is copied.
   *
   * @throws dev.windlass.object.MalformedObjectException if this can't be what it should be
   */
  void accept(ByteBuffer bytes, Consumer<FeedEvent> events);

  /** The event with which the response ends, now that no more bytes follow. */
  FeedEvent end();

  /** Frees what the parser holds, after the end or instead of it. Repeatable. */
  default void close() {}
}
