// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the body of a review, which is JSON, or the protobuf encoding of Kubernetes that kubectl
 * prefers for these kinds.
 */
final class ReviewBody {
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  /** The field of the envelope that contains the encoded object. */
  private static final int RAW = 2;

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private ReviewBody() {}

  /**
   * Returns the review in a body.
   *
   * @param spec the message in the spec of the review
   * @throws StatusException 400 if the body is unreadable
   */
  static ObjectNode parse(byte[] body, ReviewMessage spec) {
    boolean protobuf =
        body.length >= MAGIC.length && Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    if (!protobuf) {
      return Json.parseObject(body);
    }
    ByteBuffer bytes = ByteBuffer.wrap(body);
    try {
      bytes.position(MAGIC.length);
      while (bytes.hasRemaining()) {
        int key = (int) varint(bytes);
        if (key >>> 3 == RAW) {
          return message(slice(bytes), spec.inReview());
        }
        skip(bytes, key & 7);
      }
      return Json.object();
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw StatusException.badRequest("the body of the request is no valid protobuf message");
    }
  }

  private static ObjectNode message(ByteBuffer bytes, ReviewMessage message) {
    ObjectNode object = Json.object();
    while (bytes.hasRemaining()) {
      int key = (int) varint(bytes);
      ReviewMessage.Field field = message.fields().get(key >>> 3);
      if (field == null) {
        skip(bytes, key & 7);
      } else if ((key & 7) == VARINT) {
        object.put(field.name(), varint(bytes));
      } else {
        add(object, field, slice(bytes));
      }
    }
    return object;
  }

  private static void add(ObjectNode object, ReviewMessage.Field field, ByteBuffer value) {
    ReviewMessage inner = field.message();
    if (inner != null) {
      object.set(field.name(), message(value, inner));
      return;
    }
    String text = StandardCharsets.UTF_8.decode(value).toString();
    if (field.repeated()) {
      object.withArray(field.name()).add(text);
    } else if (!text.isEmpty()) {
      object.put(field.name(), text);
    }
  }

  private static long varint(ByteBuffer bytes) {
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

  private static ByteBuffer slice(ByteBuffer bytes) {
    int length = (int) varint(bytes);
    ByteBuffer slice = bytes.slice(bytes.position(), length);
    bytes.position(bytes.position() + length);
    return slice;
  }

  private static void skip(ByteBuffer bytes, int type) {
    switch (type) {
      case VARINT -> varint(bytes);
      case FIXED64 -> bytes.getLong();
      case BYTES -> slice(bytes);
      case FIXED32 -> bytes.getInt();
      default -> throw new IllegalArgumentException("unknown wire type: " + type);
    }
  }
}
