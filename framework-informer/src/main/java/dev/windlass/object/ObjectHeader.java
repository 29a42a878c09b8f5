// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.Map;
import java.util.UUID;

/**
 * The kind of an object, and the fields of its metadata that the framework uses. The content of the
 * object is not parsed. Instances are immutable.
 *
 * @param kind the kind, or an empty string if there is none
 * @param name the name, or an empty string if there is none
 * @param uid the uid, or an empty string if there is none
 * @param version {@code metadata.resourceVersion} as a number, or -1 if it is not a number
 * @param labels the labels
 * @param terminating whether there is a {@code metadata.deletionTimestamp}
 * @param finalized whether there are finalizers
 * @param gracePeriodSeconds {@code metadata.deletionGracePeriodSeconds}, or 0 if there is none
 */
public record ObjectHeader(
    String kind,
    String name,
    String uid,
    long version,
    Map<String, String> labels,
    boolean terminating,
    boolean finalized,
    long gracePeriodSeconds) {

  /**
   * Reads the header of an object.
   *
   * @param json the object's JSON
   * @throws MalformedObjectException if the bytes are not the JSON of an object with metadata
   */
  public static ObjectHeader read(byte[] json) {
    ObjectFields fields = new ObjectFields(json, 0, json.length, false);
    return new ObjectHeader(
        fields.kind,
        fields.name,
        fields.uidText == null
            ? new UUID(fields.uidHigh, fields.uidLow).toString()
            : fields.uidText,
        fields.version,
        fields.labels,
        fields.deletionTimestamp != null,
        fields.finalized,
        fields.gracePeriodSeconds);
  }
}
