// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import dev.windlass.logging.OneLine;
import java.util.Optional;

/**
 * An object that the API server requests to convert, as a part of the request's bytes.
 *
 * @param body the bytes of the whole request
 * @param range the range of the object
 * @param apiVersion the group and version of the object
 * @param apiVersionRange the range of the value of {@code apiVersion}, including its quotes
 * @param kind the object's kind
 * @param metadata the range of the value of {@code metadata}, if there is one
 * @param namespace the namespace; empty for a cluster-scoped object
 * @param name the name; empty for an object whose name the API server has yet to generate
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and shared by all objects of a request
record RequestedObject(
    byte[] body,
    ByteRange range,
    String apiVersion,
    ByteRange apiVersionRange,
    String kind,
    Optional<ByteRange> metadata,
    String namespace,
    String name) {

  /**
   * The maximum length of a name in a message, which is the maximum length that the API server
   * accepts.
   */
  private static final int LONGEST_NAME = 253;

  /** Returns the name of the object for messages, such as {@code Tool shop/web}. */
  @Override
  public String toString() {
    String key = name.isEmpty() ? "without a name" : name;
    return OneLine.of(kind, LONGEST_NAME)
        + " "
        + OneLine.of(namespace.isEmpty() ? key : namespace + "/" + key, 2 * LONGEST_NAME);
  }
}
