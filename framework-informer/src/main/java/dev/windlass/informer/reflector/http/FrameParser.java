// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import dev.windlass.informer.reflector.FeedEvent;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Divides the bytes of one response into events, regardless of how the bytes are split when they
 * arrive.
 */
interface FrameParser {

  /** The maximum size of one object in bytes. etcd accepts only a fraction of this size. */
  int MAX_FRAME = 64 * 1024 * 1024;

  /**
   * Processes the next bytes and passes on the events that these bytes complete. Events can refer
   * to the array of the buffer. If the buffer is read-only, this method copies the bytes of the
   * events.
   *
   * @throws dev.windlass.object.MalformedObjectException if the bytes do not have the expected
   *     format
   */
  void accept(ByteBuffer bytes, Consumer<FeedEvent> events);

  /**
   * Returns the event that ends the response. The caller must first pass all bytes to {@link
   * #accept}.
   */
  FeedEvent end();

  /**
   * Releases the parser's resources. The caller must call this method at the end, even if it does
   * not call {@link #end}. This method is idempotent.
   */
  default void close() {}
}
