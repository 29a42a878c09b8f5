// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * One committed write.
 *
 * @param revision the resourceVersion of the write
 * @param object the state after the write; for a delete, the last state with the new
 *     resourceVersion
 * @param previous the state before the write; null for a create
 */
record Change(Type type, long revision, ObjectNode object, @Nullable ObjectNode previous) {

  /** The types of watch events. */
  enum Type {
    ADDED,
    MODIFIED,
    DELETED
  }

  Meta meta() {
    return Meta.of(object);
  }
}
