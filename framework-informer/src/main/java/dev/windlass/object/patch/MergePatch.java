// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.ObjectSerialization;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Iterator;

/** Creates JSON merge patches (RFC 7386), which turn one version of an object into another. */
public final class MergePatch {

  private MergePatch() {}

  /**
   * Returns the JSON merge patch that turns {@code before} into {@code after}, or an empty JSON
   * object if they are equal. The patch omits fields that the server maintains (managedFields,
   * resourceVersion).
   *
   * @param locked whether to include the resourceVersion of {@code before}, so that the server
   *     rejects the patch if the object has changed since then
   */
  public static String between(
      ObjectSerialization serialization, HasMetadata before, HasMetadata after, boolean locked) {
    ObjectNode from = tree(serialization, before);
    ObjectNode difference = difference(from, tree(serialization, after));
    if (locked) {
      ((ObjectNode) metadata(difference))
          .put("resourceVersion", before.getMetadata().getResourceVersion());
    }
    return difference.toString();
  }

  /** Returns the JSON of an object without the fields that the server maintains. */
  static ObjectNode tree(ObjectSerialization serialization, HasMetadata object) {
    ObjectNode tree = serialization.convert(object, ObjectNode.class);
    if (tree.get("metadata") instanceof ObjectNode metadata) {
      metadata.remove("managedFields");
      metadata.remove("resourceVersion");
    }
    return tree;
  }

  private static JsonNode metadata(ObjectNode object) {
    return object.has("metadata") ? object.get("metadata") : object.putObject("metadata");
  }

  /** Returns the JSON merge patch that turns {@code before} into {@code after}. */
  static ObjectNode difference(ObjectNode before, ObjectNode after) {
    ObjectNode difference = before.objectNode();
    for (Iterator<String> names = before.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!after.has(name)) {
        difference.putNull(name);
      }
    }
    for (Iterator<String> names = after.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      JsonNode old = before.path(name);
      JsonNode now = after.get(name);
      if (old instanceof ObjectNode from && now instanceof ObjectNode to) {
        if (!from.equals(to)) {
          difference.set(name, difference(from, to));
        }
      } else if (!now.equals(old)) {
        difference.set(name, now);
      }
    }
    return difference;
  }
}
