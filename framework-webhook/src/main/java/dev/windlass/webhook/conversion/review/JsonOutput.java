// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Collects the bytes of a response. The caller can append new JSON and copy parts of the request.
 */
final class JsonOutput {

  private final ByteArrayOutputStream out;

  JsonOutput(int expectedSize) {
    out = new ByteArrayOutputStream(expectedSize);
  }

  /** Appends a piece of JSON. */
  JsonOutput raw(String ascii) {
    out.writeBytes(ascii.getBytes(StandardCharsets.US_ASCII));
    return this;
  }

  /** Appends a value as JSON. */
  JsonOutput value(Object value) {
    out.writeBytes(ObjectJson.write(value));
    return this;
  }

  /** Appends bytes that are JSON. */
  JsonOutput copy(byte[] source, int from, int to) {
    out.write(source, from, to - from);
    return this;
  }

  byte[] toByteArray() {
    return out.toByteArray();
  }
}
