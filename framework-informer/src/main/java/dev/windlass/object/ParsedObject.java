// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.Map;
import java.util.UUID;

/**
 * The JSON of an object after one pass over it. It provides the fields that the framework uses, and
 * {@link ObjectDecoder}s create cached objects from it without another pass. Instances are
 * immutable.
 */
public final class ParsedObject {

  final byte[] json;
  final ObjectFields fields;

  private ParsedObject(byte[] json) {
    this.json = json;
    this.fields = new ObjectFields(json, 0, json.length, false);
  }

  /**
   * Parses an object.
   *
   * @param json the object's JSON, which must not change afterwards
   * @throws MalformedObjectException if the bytes are not the JSON of an object with metadata
   */
  public static ParsedObject of(byte[] json) {
    return new ParsedObject(json);
  }

  /** Returns the kind, or an empty string if there is none. */
  public String kind() {
    return fields.kind;
  }

  /** Returns the name, or an empty string if there is none. */
  public String name() {
    return fields.name;
  }

  /** Returns the uid, or an empty string if there is none. */
  public String uid() {
    String text = fields.uidText;
    return text == null ? new UUID(fields.uidHigh, fields.uidLow).toString() : text;
  }

  /** Returns {@code metadata.resourceVersion} as a number, or -1 if it is not a number. */
  public long version() {
    return fields.version;
  }

  /** Returns the labels. */
  public Map<String, String> labels() {
    return fields.labels;
  }

  /** Returns whether there is a {@code metadata.deletionTimestamp}. */
  public boolean isTerminating() {
    return fields.deletionTimestamp != null;
  }

  /** Returns whether there are finalizers. */
  public boolean isFinalized() {
    return fields.finalized;
  }

  /** Returns {@code metadata.deletionGracePeriodSeconds}, or 0 if there is none. */
  public long gracePeriodSeconds() {
    return fields.gracePeriodSeconds;
  }
}
