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

  /** The maximum size of one object in bytes: 64 MiB. etcd accepts only a fraction of this size. */
  int MAX_FRAME = 64 * 1024 * 1024;

  /**
   * Parses the next bytes of the response, and passes each complete event to the consumer. An event
   * can refer to the array of the buffer. If the buffer is read-only, the event contains a copy of
   * the bytes.
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
   * Releases the parser's resources. The caller must always call this method when it no longer
   * needs the parser, even if it has not called {@link #end}. This method is idempotent.
   */
  default void close() {}
}
