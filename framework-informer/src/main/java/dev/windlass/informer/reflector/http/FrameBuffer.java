// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import dev.windlass.object.MalformedObjectException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Collects the bytes of a frame, such as an item of a list or a line of a watch, until the frame is
 * complete.
 */
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

  /**
   * Returns an array that contains the bytes of a chunk: the chunk's own array if it is accessible,
   * or a copy otherwise.
   */
  @SuppressWarnings("ByteBufferBackingArray") // startOf returns the offset
  static byte[] bytesOf(ByteBuffer chunk) {
    if (chunk.hasArray()) {
      return chunk.array();
    }
    byte[] copy = new byte[chunk.remaining()];
    chunk.duplicate().get(copy);
    return copy;
  }

  /** Returns the position of the chunk's first byte in the array that {@link #bytesOf} returns. */
  static int startOf(ByteBuffer chunk) {
    return chunk.hasArray() ? chunk.arrayOffset() + chunk.position() : 0;
  }

  boolean isEmpty() {
    return length == 0;
  }

  byte[] take() {
    byte[] taken = Arrays.copyOf(bytes, length);
    length = 0;
    if (bytes.length > 1024 * 1024) {
      bytes = new byte[4096]; // the memory of one huge object must not be retained
    }
    return taken;
  }
}
