// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import org.jspecify.annotations.Nullable;

/**
 * A committed write.
 *
 * @param type the type of the watch event
 * @param revision the resourceVersion of the write
 * @param object the object after the write; for a delete, the deleted object with the new
 *     resourceVersion
 * @param previous the object before the write; null for a create
 */
public record Change(Type type, long revision, ObjectNode object, @Nullable ObjectNode previous) {

  /** The types of watch events. */
  public enum Type {
    ADDED,
    MODIFIED,
    DELETED
  }

  public Meta meta() {
    return Meta.of(object);
  }
}
