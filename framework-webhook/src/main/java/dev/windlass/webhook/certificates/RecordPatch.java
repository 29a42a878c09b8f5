// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.certificates;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/**
 * Creates a JSON merge patch (RFC 7386) that sets or removes the serving record of one replica. The
 * patch does not contain a resourceVersion, because no other replica writes the same annotation.
 */
final class RecordPatch {

  private RecordPatch() {}

  /**
   * Returns the patch.
   *
   * @param record the new record, or empty to remove the record
   * @param obsolete the names of other annotations to remove
   */
  static String of(String identity, Optional<ServingRecord> record, List<String> obsolete) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode annotations = patch.putObject("metadata").putObject("annotations");
    obsolete.forEach(annotations::putNull);
    String own = ServingRecords.annotation(identity);
    record.ifPresentOrElse(
        present -> annotations.put(own, present.toString()), () -> annotations.putNull(own));
    return patch.toString();
  }
}
