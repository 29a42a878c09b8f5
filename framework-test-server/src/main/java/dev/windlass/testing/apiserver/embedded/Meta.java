// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A view of the {@code metadata} of an object. Setters modify the object, so use them only for
 * objects that are not in the store yet.
 */
record Meta(ObjectNode json) {

  /** Returns the metadata of {@code object}. Adds empty metadata if the object has none. */
  static Meta of(ObjectNode object) {
    return new Meta(
        object.get("metadata") instanceof ObjectNode metadata
            ? metadata
            : object.putObject("metadata"));
  }

  /** Returns the text of a field, or an empty string if the field is absent. */
  String text(String field) {
    return json.path(field).asText("");
  }

  String name() {
    return text("name");
  }

  String namespace() {
    return text("namespace");
  }

  String uid() {
    return text("uid");
  }

  String resourceVersion() {
    return text("resourceVersion");
  }

  long generation() {
    return json.path("generation").asLong();
  }

  ObjectKey key() {
    return new ObjectKey(namespace(), name());
  }

  boolean deleting() {
    return json.hasNonNull("deletionTimestamp");
  }

  List<String> finalizers() {
    List<String> finalizers = new ArrayList<>();
    json.path("finalizers").forEach(finalizer -> finalizers.add(finalizer.asText()));
    return finalizers;
  }

  void finalizers(Collection<String> finalizers) {
    json.remove("finalizers");
    if (!finalizers.isEmpty()) {
      ArrayNode array = json.putArray("finalizers");
      finalizers.forEach(array::add);
    }
  }

  /** Returns the owner references that are JSON objects. */
  List<ObjectNode> owners() {
    List<ObjectNode> owners = new ArrayList<>();
    for (JsonNode owner : json.path("ownerReferences")) {
      if (owner instanceof ObjectNode reference) {
        owners.add(reference);
      }
    }
    return owners;
  }

  void owners(Collection<ObjectNode> owners) {
    json.remove("ownerReferences");
    if (!owners.isEmpty()) {
      json.putArray("ownerReferences").addAll(owners);
    }
  }
}
