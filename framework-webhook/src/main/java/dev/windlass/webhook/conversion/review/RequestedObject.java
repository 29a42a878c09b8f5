// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import dev.windlass.logging.OneLine;
import java.util.Optional;

/**
 * An object in a conversion request from the API server. The object is not copied: this record
 * refers to the bytes of the request.
 *
 * @param body the bytes of the whole request
 * @param range the range of the object in {@code body}
 * @param apiVersion the group and version of the object
 * @param apiVersionRange the range of the value of {@code apiVersion}, including its quotes
 * @param kind the object's kind
 * @param metadata the range of the value of {@code metadata}; empty if the object has no metadata
 * @param namespace the namespace; empty for a cluster-scoped object
 * @param name the name; empty if the API server has not generated the name yet
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

  /** The maximum length of a name in a message. The API server does not accept longer names. */
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
