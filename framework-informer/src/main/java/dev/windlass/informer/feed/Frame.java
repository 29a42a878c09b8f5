// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.MalformedObjectException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes that grow until they make up a whole. */
final class Frame {

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

  /** The array in which a chunk's bytes stand: its own, or a copy. */
  @SuppressWarnings("ByteBufferBackingArray") // startOf gives the offset in it
  static byte[] bytesOf(ByteBuffer chunk) {
    if (chunk.hasArray()) {
      return chunk.array();
    }
    byte[] copy = new byte[chunk.remaining()];
    chunk.duplicate().get(copy);
    return copy;
  }

  /** Where in {@link #bytesOf} the chunk's bytes begin. */
  static int startOf(ByteBuffer chunk) {
    return chunk.hasArray() ? chunk.arrayOffset() + chunk.position() : 0;
  }

  boolean isEmpty() {
    return length == 0;
  }

  /** Hands out a copy of what is there and starts anew. */
  byte[] take() {
    byte[] taken = Arrays.copyOf(bytes, length);
    length = 0;
    if (bytes.length > 1024 * 1024) {
      bytes = new byte[4096]; // one giant must not cost its size for ever
    }
    return taken;
  }
}
