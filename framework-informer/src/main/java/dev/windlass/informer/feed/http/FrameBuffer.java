// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed.http;

import dev.windlass.object.MalformedObjectException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Collects bytes until they are complete. */
final class FrameBuffer {

  private byte[] bytes = new byte[4096];
  private int length;

  void append(byte[] source, int offset, int count) {
    if (count > FrameParser.MAX_FRAME - length) {
      throw new MalformedObjectException(
          "an object of more than " + FrameParser.MAX_FRAME + " bytes");
    }
    if (length + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
    }
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  /** Returns the array that contains a chunk's bytes: its own, or a copy. */
  @SuppressWarnings("ByteBufferBackingArray") // startOf returns the offset in it
  static byte[] bytesOf(ByteBuffer chunk) {
    if (chunk.hasArray()) {
      return chunk.array();
    }
    byte[] copy = new byte[chunk.remaining()];
    chunk.duplicate().get(copy);
    return copy;
  }

  /** Returns the position of the chunk's bytes in {@link #bytesOf}. */
  static int startOf(ByteBuffer chunk) {
    return chunk.hasArray() ? chunk.arrayOffset() + chunk.position() : 0;
  }

  boolean isEmpty() {
    return length == 0;
  }

  /** Returns a copy of the collected bytes, and starts again. */
  byte[] take() {
    byte[] taken = Arrays.copyOf(bytes, length);
    length = 0;
    if (bytes.length > 1024 * 1024) {
      bytes = new byte[4096]; // one huge object must not occupy its size forever
    }
    return taken;
  }
}
