// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.client.ObjectPatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The {@link ServingRecord}s of all replicas. They determine when former CAs can be removed from
 * the bundle. Each record is stored in its own annotation, so that replicas do not overwrite the
 * records of others. Instances are immutable.
 */
final class ServingRecords {

  /** The prefix of the annotation names. It is followed by the name of the replica. */
  static final String PREFIX = "serving.webhook.windlass.dev/";

  /**
   * The maximum number of records in a Secret: 500. Their total size is far below the limit for
   * annotations.
   */
  static final int MOST = 500;

  private static final int LONGEST_NAME = 63;

  private final Map<String, ServingRecord> byAnnotation;

  private ServingRecords(Map<String, ServingRecord> byAnnotation) {
    this.byAnnotation = byAnnotation;
  }

  /** Returns the records among the annotations of a Secret. */
  static ServingRecords in(Map<String, String> annotations) {
    Map<String, ServingRecord> found = new TreeMap<>();
    annotations.forEach(
        (name, value) -> {
          if (name.startsWith(PREFIX)) {
            ServingRecord.parse(value).ifPresent(record -> found.put(name, record));
          }
        });
    return new ServingRecords(found);
  }

  /** Returns the name of the annotation for a replica. */
  static String annotation(String identity) {
    String name = identity.replaceAll("[^-A-Za-z0-9_.]", "-");
    String shorter = name.substring(0, Math.min(name.length(), LONGEST_NAME));
    return PREFIX + shorter.replaceAll("^[^A-Za-z0-9]+|[^A-Za-z0-9]+$", "");
  }

  /** Returns a replica's record. */
  Optional<ServingRecord> of(String identity) {
    return Optional.ofNullable(byAnnotation.get(annotation(identity)));
  }

  /** Returns whether all records that have not expired contain the given CA. */
  boolean agreeOn(String authorityId, Instant now) {
    return byAnnotation.values().stream()
        .filter(record -> now.isBefore(record.until()))
        .allMatch(record -> record.authorityId().equals(authorityId));
  }

  /**
   * Returns the names of the annotations whose records are obsolete. These are the expired records.
   * If there are more records than the maximum, they also include those that expire first.
   */
  List<String> obsolete(Instant now) {
    List<Map.Entry<String, ServingRecord>> byExpiry = new ArrayList<>(byAnnotation.entrySet());
    byExpiry.sort(Comparator.comparing(entry -> entry.getValue().until()));
    List<String> obsolete = new ArrayList<>();
    for (int i = 0; i < byExpiry.size(); i++) {
      boolean isExcess = byExpiry.size() - i > MOST;
      if (isExcess || !now.isBefore(byExpiry.get(i).getValue().until())) {
        obsolete.add(byExpiry.get(i).getKey());
      }
    }
    return obsolete;
  }

  /**
   * Returns a JSON merge patch (RFC 7386) that sets or removes the record of one replica. The patch
   * does not contain a resourceVersion, because no other replica writes the same annotation.
   *
   * @param record the new record, or empty to remove the record
   * @param obsolete the names of other annotations to remove
   */
  static ObjectPatch patch(String identity, Optional<ServingRecord> record, List<String> obsolete) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode annotations = patch.putObject("metadata").putObject("annotations");
    obsolete.forEach(annotations::putNull);
    annotations.put(annotation(identity), record.map(ServingRecord::toString).orElse(null));
    return ObjectPatch.merge(patch.toString());
  }

  /** Returns the records as annotations. */
  Map<String, String> annotations() {
    Map<String, String> annotations = new TreeMap<>();
    byAnnotation.forEach((name, record) -> annotations.put(name, record.toString()));
    return annotations;
  }
}
