// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.protobuf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads the fields of one message in the protobuf wire format. The methods throw {@link
 * java.nio.BufferUnderflowException} or {@link IllegalArgumentException} if the message is
 * malformed.
 */
final class WireReader {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final ByteBuffer bytes;
  private int wireType;

  WireReader(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** Moves to the next field and returns its number, or 0 at the end of the message. */
  int next() {
    if (!bytes.hasRemaining()) {
      return 0;
    }
    int key = (int) varint();
    wireType = key & 7;
    return key >>> 3;
  }

  /** Returns the value of the current field, which must be an integer or a boolean. */
  long integer() {
    return switch (wireType) {
      case VARINT -> varint();
      case FIXED64 -> Long.reverseBytes(bytes.getLong());
      case FIXED32 -> Integer.reverseBytes(bytes.getInt());
      default -> throw new IllegalArgumentException("not an integer: wire type " + wireType);
    };
  }

  String text() {
    return StandardCharsets.UTF_8.decode(bytes()).toString();
  }

  /** Returns the bytes of the current field, which must be a message, a string or a byte array. */
  ByteBuffer bytes() {
    if (wireType != BYTES) {
      throw new IllegalArgumentException("not an array of bytes: wire type " + wireType);
    }
    int length = (int) varint();
    ByteBuffer slice = bytes.slice(bytes.position(), length);
    bytes.position(bytes.position() + length);
    return slice;
  }

  WireReader message() {
    return new WireReader(bytes());
  }

  void skip() {
    if (wireType == BYTES) {
      bytes();
    } else {
      integer();
    }
  }

  private long varint() {
    long value = 0;
    int shift = 0;
    byte next;
    do {
      next = bytes.get();
      value |= (long) (next & 0x7F) << shift;
      shift += 7;
    } while (next < 0);
    return value;
  }
}
